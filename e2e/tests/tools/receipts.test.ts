import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../../support/app/command.ts";
import { type BridgeProcess, repositoryRoot, startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { settle } from "../../support/bridge/settle.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { turn } from "../../support/wire/turn.ts";

const verifier = join(repositoryRoot, "examples", "verify-receipts", "verify.mjs");

let bridge: BridgeProcess;
/** Of the command. */
let home: TemporaryHome;

beforeAll(async () => {
	bridge = await startBridge({ providers: [unrulyAgent()] });
	home = await temporaryHome();
});

afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const command = (...args: readonly string[]) =>
	runCommand(home, args, { env: { XWORKMATE_BRIDGE_URL: `http://127.0.0.1:${bridge.port}`, XWORKMATE_TOKEN: bridge.token } });

/** Two calls, of which the agent says that they were made. */
async function reportedRun(): Promise<string> {
	const { snapshot } = await settle(
		bridge.client(),
		turn({ prompt: "UNRULY:TOOL Look around ;; TOOL Change it ;; SAY done", providerId: "unruly" }),
	);
	expect(snapshot.status).toBe("completed");
	return snapshot.runId;
}

it("what the bridge's own programs do with files leaves no receipts: the manifest is their evidence", async () => {
	const prompt = 'await tools.files.write({ path: "a.txt", text: "a" }); return 1';
	const { snapshot } = await settle(bridge.client(), turn({ prompt, providerId: "script" }));
	expect(snapshot.status).toBe("completed");
	expect(JSON.parse((await command("receipts", "list", "--run", snapshot.runId, "--json")).stdout)).toEqual([]);
	expect((await command("activity", snapshot.runId)).stdout).toBe("0 actions completed.\n");
});

it("a run that does not exist is not one without receipts", async () => {
	expect(await command("receipts", "list", "--run", "run-nowhere")).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringContaining("There is no run run-nowhere."),
	});
});

async function offline(exported: string, key: string): Promise<{ code: unknown; output: string }> {
	const child = spawn(process.execPath, [verifier, `--key=${key}`], { stdio: ["pipe", "pipe", "inherit"] });
	child.stdin.end(exported);
	const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
	return { code, output };
}

/** The canonical form of what is JSON already, made by other code than the bridge's. */
function sorted(value: unknown): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
	const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sorted(member)}`).join(",")}}`;
}

it("[T1-30] an agent's calls leave receipts, and command, route and method have the same activity", async () => {
	const runId = await reportedRun();
	const { stdout } = await command("receipts", "list", "--run", runId, "--json");
	const receipts: { n: number; type: string; origin: string; toolId: string }[] = JSON.parse(stdout);
	expect(receipts.map(({ n }) => n)).toEqual([6, 5, 4, 3, 2, 1]);
	expect(new Set(receipts.map(({ origin }) => origin))).toEqual(new Set(["reported"]));
	const response = await fetch(`http://127.0.0.1:${bridge.port}/runs/${runId}/activity`, {
		headers: { authorization: `Bearer ${bridge.token}` },
	});
	const bytes = await response.text();
	for (const path of [`runs/${runId}/activity`, "receipts/export"]) {
		expect((await fetch(`http://127.0.0.1:${bridge.port}/${path}`)).status).toBe(401);
	}
	expect((await command("activity", runId, "--json")).stdout).toBe(`${bytes}\n`);
	expect(sorted(await bridge.client().rpc("xworkmate.activity.get", { runId }))).toBe(bytes);
	expect((await command("activity", runId)).stdout).toMatch(/^0 actions completed\.\nThe agent's own calls, as it reported them:\n/);
	const shown = await command("receipts", "show", `${runId}.2`);
	expect(shown.stdout).toMatch(/All receipts of the call:\n(?: {2}.*\n){3}$/);
});

it("[T1-22] [T1-86] verify and the offline verifier agree on what the command exports, and on one changed byte", async () => {
	const runId = await reportedRun();
	const [, key = ""] = /^key {2}(\S+)$/m.exec((await command("receipts", "head")).stdout) ?? [];
	expect(await command("receipts", "verify")).toMatchObject({ code: 0 });
	const { stdout: exported } = await command("receipts", "export");
	expect(await offline(exported, key)).toMatchObject({ code: 0 });
	const changed = exported.replace(`"receiptId":"${runId}.2"`, `"receiptId":"${runId}.9"`);
	expect(changed).not.toBe(exported);
	expect(await offline(changed, key)).toEqual({ code: 1, output: expect.stringContaining(`EDITED  ${runId}  2`) });
	const head = (await command("receipts", "head", runId)).stdout.trim().split("  ")[1] ?? "";
	expect((await command("receipts", "verify", "--head", head)).stdout).toContain("The receipts include the hash that you saved.");
	expect(await command("receipts", "verify", runId, "--head", "0".repeat(64))).toMatchObject({ code: 1 });
});

it("a bridge that is killed at a run's end seals the run at its next start, and one whose ledger was cut says so", async () => {
	const runId = await reportedRun();
	await bridge.kill("SIGKILL");
	await bridge.start();
	const path = join(bridge.home.xworkmate, "bridge", "receipts", "ledger.jsonl");
	await waitUntil("the run's final line", 10_000, async () => {
		const lines = (await readFile(path, "utf8")).split("\n");
		return lines.some((line) => line.includes('"kind":"final"') && line.includes(runId)) || undefined;
	});
	expect(await command("receipts", "verify")).toMatchObject({ code: 0 });
	await bridge.kill("SIGKILL");
	const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
	await writeFile(path, `${lines.slice(0, -1).join("\n")}\n`);
	await bridge.start();
	const { code, stdout } = await command("receipts", "verify");
	expect(code).toBe(1);
	expect(stdout).toContain(`LEDGER_CUT  ledger  ${lines.length - 1}`);
});
