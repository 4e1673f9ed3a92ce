import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bridgeMain, cleanEnvironment, startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { waitFor, writeReport } from "../../support/bridge/scripts.ts";
import { follow, settle, settleAgain, timeless } from "../../support/bridge/settle.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";
import { expectServedBytes } from "../../support/wire/served-artifacts.ts";
import { turn } from "../../support/wire/turn.ts";
import { RpcResponse, TaskSnapshot } from "../../support/wire/wire.ts";

const script = (prompt: string, threadId?: string) =>
	turn({ prompt, providerId: "script", ...(threadId === undefined ? {} : { threadId }) });

/** Starts a bridge that is expected to refuse; its code and words. */
async function refusedStart(home: TemporaryHome, env: Record<string, string>): Promise<{ readonly code: unknown; readonly words: string }> {
	const child = spawn(process.execPath, [bridgeMain], { env: cleanEnvironment(home, env), stdio: ["ignore", "pipe", "pipe"] });
	let words = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (words += bytes.toString("utf8")));
	const [code] = await within("the refused bridge's end", 20_000, once(child, "close")).finally(() => child.kill("SIGKILL"));
	return { code, words };
}

it("ends in order on SIGTERM: running ones are interrupted, waiting ones run at the next start", async () => {
	await using bridge = await startBridge({ providers: [unrulyAgent()], env: { XWORKMATE_STOP_MS: "1000" } });
	const client = bridge.client();
	const running = script(waitFor(60_000));
	const streams = [
		await client.stream("session.start", running),
		await client.stream("session.start", turn({ prompt: "UNRULY:SAY started ;; IGNORE_CANCEL ;; STUBBORN ;; HANG", providerId: "unruly" })),
	];
	const [first, second] = await Promise.all(
		streams.map((stream) => stream.until("the first words", ({ update }) => update.kind === "message_delta")),
	);
	const queued = TaskSnapshot.parse(await client.rpc("session.message", script(writeReport, running.threadId)));
	expect(queued.status).toBe("queued");
	expect(await bridge.kill("SIGTERM")).toBe(0);
	await bridge.start();
	const again = bridge.client();
	for (const update of [first, second]) {
		const { snapshot } = await settleAgain(again, update?.runId ?? "");
		expect(snapshot).toMatchObject({ status: "interrupted", code: "BRIDGE_STOPPED" });
	}
	expect((await settleAgain(again, queued.runId)).snapshot).toMatchObject({ status: "completed", artifacts: { count: 1 } });
	const cutShort = await Promise.all(streams.map((stream) => follow(again, stream)));
	expect(cutShort.map(({ snapshot }) => snapshot.code)).toEqual(["BRIDGE_STOPPED", "BRIDGE_STOPPED"]);
});

it("refuses what it cannot be started with, in clear words", async () => {
	await using bridge = await startBridge();
	const inUse = await refusedStart(bridge.home, {});
	expect(inUse.code).not.toBe(0);
	expect(inUse.words).toMatch(/HOME_IN_USE|in use/);
	expect((await bridge.client().http({ path: "/healthz" })).status).toBe(200);

	await using home = await temporaryHome();
	const misspelled = await refusedStart(home, { XWORKMATE_RUN_BUDGT_MS: "5" });
	expect(misspelled.words).toContain("XWORKMATE_RUN_BUDGET_MS");
	const open = await refusedStart(home, { XWORKMATE_BRIDGE_LISTEN: "0.0.0.0:0" });
	expect(open.words).toContain("XWORKMATE_TOKEN");
	expect([misspelled.code, open.code]).not.toContain(0);
});

it("refuses a newer and a corrupt database, and keeps the file", async () => {
	await using home = await temporaryHome();
	{
		await using bridge = await startBridge({ home });
		await settle(bridge.client(), script(writeReport));
	}
	const folder = join(home.xworkmate, "bridge");
	const database = (await readdir(folder)).find((name) => /\.(sqlite|db|sqlite3)$/.test(name)) ?? "";
	const path = join(folder, database);
	const bytes = await readFile(path);
	const corrupt = Buffer.from(bytes);
	corrupt.fill(0xff, 0, Math.min(4096, corrupt.length));
	await writeFile(path, corrupt);
	const refusal = await refusedStart(home, {});
	expect(refusal.code).not.toBe(0);
	expect(refusal.words).toMatch(/database|corrupt|damaged/i);
	expect((await readFile(path)).equals(corrupt)).toBe(true);
	const newer = Buffer.from(bytes);
	newer.writeUInt32BE(9_999, 60);
	await writeFile(path, newer);
	const tooNew = await refusedStart(home, {});
	expect(tooNew.code).not.toBe(0);
	expect(tooNew.words).toMatch(/newer/i);
	expect((await readFile(path)).equals(newer)).toBe(true);
});

it("keeps its secrets to its owner", async () => {
	await using bridge = await startBridge();
	const { xworkmate } = bridge.home;
	const modes = await Promise.all(
		[xworkmate, join(xworkmate, "bridge"), join(xworkmate, "bridge", "token")].map(async (path) => (await stat(path)).mode & 0o777),
	);
	expect(modes).toEqual([0o700, 0o700, 0o600]);
});

it("never serves bytes that the disk has damaged", async () => {
	await using bridge = await startBridge();
	const client = bridge.client();
	const { snapshot } = await settle(client, script(writeReport));
	const store = join(bridge.home.xworkmate, "bridge", "artifacts");
	const files = (await readdir(store, { recursive: true, withFileTypes: true })).filter(
		(entry) => entry.isFile() && entry.name === "report.md",
	);
	expect(files.length).toBe(1);
	for (const file of files) await writeFile(join(file.parentPath, file.name), "# hellO");
	const answer = await client.http({ path: snapshot.artifacts.items[0]?.artifactRef ?? "" }).catch(() => undefined);
	if (answer !== undefined) {
		const { error } = RpcResponse.parse(JSON.parse(answer.body.toString("utf8")));
		expect([answer.status, error?.data.code]).toEqual([409, "ARTIFACT_CHANGED"]);
	}
	await expect(expectServedBytes(client, snapshot)).rejects.toThrow();
	expect(timeless(await client.snapshot({ runId: snapshot.runId }))).toBe(timeless(snapshot));
});

it("removes old bytes, never their records", async () => {
	await using bridge = await startBridge({ env: { XWORKMATE_KEEP_MS: "1" } });
	const { snapshot } = await settle(bridge.client(), script("return 'no files, so nothing to fetch'"));
	const kept = TaskSnapshot.parse(await bridge.client().rpc("session.start", script(writeReport)));
	const stream = await bridge.client().stream("xworkmate.tasks.subscribe", { runId: kept.runId });
	await stream.ended;
	const before = await bridge.client().snapshot({ runId: kept.runId });
	await bridge.restart();
	const client = bridge.client();
	const refusal = await waitUntil("the bytes are removed, which no request waits for", 15_000, async () => {
		const answer = await client.http({ path: `/artifacts/${kept.runId}/report.md` });
		return answer.status === 404 ? answer : undefined;
	});
	expect(RpcResponse.parse(JSON.parse(refusal.body.toString("utf8"))).error?.data.code).toBe("RUN_EXPIRED");
	expect(timeless(await client.snapshot({ runId: kept.runId }))).toBe(timeless(before));
	expect(timeless(await client.snapshot({ runId: snapshot.runId }))).toBe(timeless(snapshot));
});
