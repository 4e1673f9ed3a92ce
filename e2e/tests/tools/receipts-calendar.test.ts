import { spawn } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { approvals } from "../../support/app/approvals.ts";
import { type CommandEnd, runCommand } from "../../support/app/command.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";
import { type FakeService, startFakeService } from "../../support/services/fake-service.ts";
import { turn } from "../../support/wire/turn.ts";
import { isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const PASSWORD = "ada's password";
const CALENDAR = "/dav/calendars/ada/home/";
const authorization = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}`;
const verifier = fileURLToPath(new URL("../../../examples/verify-receipts/verify.mjs", import.meta.url));
const program = 'return await tools.calendar.deleteEvent({ id: "dentist", title: "Dentist", start: "2026-05-04T08:00:00Z" });';
const Receipts = z.object({ items: z.array(z.looseObject({ n: z.number(), type: z.string(), prevHash: z.string() })) });
const TRAIL = ["tool.call.requested", "tool.call.approved", "tool.call.started", "tool.call.succeeded"];

let server: FakeService;
let home: TemporaryHome;
let bridge: BridgeProcess;
beforeEach(async () => {
	server = await startFakeService("caldav");
	home = await temporaryHome();
	bridge = await startBridge({ home });
});
afterEach(async () => {
	await bridge[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
	await server[Symbol.asyncDispose]();
});

/** A command that must succeed. */
async function command(...args: readonly string[]): Promise<CommandEnd> {
	const end = await runCommand(home, args);
	expect(end, `xworkmate ${args.join(" ")}`).toMatchObject({ code: 0 });
	return end;
}

/** The calendar example with the account of the fake server, as examples/tools/calendar/README.md says. */
async function addCalendar(): Promise<void> {
	await command("tools", "add", "examples/tools/calendar");
	const account = join(home.xworkmate, "tools", "calendar", "account.ts");
	const source = await readFile(account, "utf8");
	const changed = source.replace(
		"Account | undefined = undefined;",
		`Account | undefined = ${JSON.stringify({ url: `${server.url}${CALENDAR}`, user: "ada" })};`,
	);
	expect(changed).not.toBe(source);
	await writeFile(account, changed);
	await writeFile(join(home.xworkmate, "secrets.json"), JSON.stringify({ "calendar.password": PASSWORD }), { mode: 0o600 });
	await command("tools", "reload", "calendar");
	await command("tools", "accept", "calendar");
}

async function putEvent(): Promise<void> {
	const lines = [
		"BEGIN:VCALENDAR",
		"VERSION:2.0",
		"BEGIN:VEVENT",
		"UID:dentist",
		"SUMMARY:Dentist",
		"DTSTART:20260504T080000Z",
		"DTEND:20260504T083000Z",
	];
	const body = [...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
	const headers = { authorization, "content-type": "text/calendar", "if-none-match": "*" };
	const answer = await fetch(`${server.url}${CALENDAR}dentist.ics`, { method: "PUT", headers, body });
	expect(answer.status).toBe(201);
}

async function submit(): Promise<string> {
	const { runId } = TaskSnapshot.parse(await bridge.client().rpc("session.start", turn({ prompt: program, providerId: "script" })));
	return runId;
}

function asked(): Promise<string> {
	return waitUntil("the request for approval", 20_000, async () => (await approvals(bridge.client(), { state: "pending" }))[0]?.approvalId);
}

function end(runId: string): Promise<TaskSnapshot> {
	return waitUntil(`the end of ${runId}`, 20_000, async () => {
		const snapshot = await bridge.client().snapshot({ runId });
		return isOver(snapshot.status) ? snapshot : undefined;
	});
}

async function receiptsOf(runId: string): Promise<z.infer<typeof Receipts>["items"]> {
	const { items } = Receipts.parse(await bridge.client().rpc("xworkmate.receipts.list", { runId }));
	return items.toReversed();
}

/** A copy of a stopped home with one byte of its database changed: the first digit of a hash that one receipt has. */
async function copyWithOneByteChanged(prevHash: string): Promise<TemporaryHome> {
	const copy = await temporaryHome();
	await cp(home.xworkmate, copy.xworkmate, { recursive: true });
	const folder = join(copy.xworkmate, "bridge");
	const wanted = Buffer.from(`"prevHash":"${prevHash}"`);
	const offset = '"prevHash":"'.length;
	for (const name of (await readdir(folder)).filter((file) => file.startsWith("bridge.sqlite"))) {
		const bytes = await readFile(join(folder, name));
		const at = bytes.indexOf(wanted);
		if (at === -1) continue;
		bytes.write(prevHash.startsWith("0") ? "1" : "0", at + offset, "latin1");
		await writeFile(join(folder, name), bytes);
		return copy;
	}
	throw new Error("no file of the database has this receipt");
}

async function publicKey(): Promise<string> {
	const file = join(home.path, "ledger-key.pem");
	const key = createPublicKey(await readFile(join(home.xworkmate, "bridge", "receipts", "key.pem"), "utf8"));
	await writeFile(file, key.export({ type: "spki", format: "pem" }));
	return file;
}

/** Runs the offline verifier, in an empty environment. */
async function verifyOffline(exported: string, key: string): Promise<{ readonly code: number | null; readonly said: string }> {
	const child = spawn(process.execPath, [verifier, `--key=${key}`], { env: {}, stdio: ["pipe", "pipe", "pipe"] });
	const { promise, resolve } = Promise.withResolvers<number | null>();
	child.once("close", resolve);
	child.stdin.end(exported);
	const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
	return { code: await within("the end of the verifier", 20_000, promise), said: `${out}${problems}` };
}

it("[T1-71] [T1-72] [T1-93] a destructive call that is asked survives kill -9, acts once after it was allowed, and leaves a trail that shows any change", async () => {
	await addCalendar();
	await putEvent();
	const runId = await submit();
	const approvalId = await asked();
	expect((await server.effects()).filter(({ kind }) => kind === "event.deleted")).toEqual([]);

	await bridge.restart("SIGKILL");
	expect(await asked()).toBe(approvalId);
	await command("approvals", "allow", approvalId);
	const snapshot = await end(runId);
	expect(snapshot).toMatchObject({ status: "completed", output: { text: expect.stringContaining('"deleted": true') } });
	expect(await server.effects()).toEqual([
		{ kind: "event.created", key: "dentist", count: 1 },
		{ kind: "event.deleted", key: "dentist", count: 1 },
	]);
	const receipts = await receiptsOf(runId);
	expect(receipts.map(({ type }) => type)).toEqual(TRAIL);
	expect((await command("activity", runId)).stdout).toContain("Dentist");

	await command("receipts", "verify");
	const { stdout: exported } = await command("receipts", "export");
	const key = await publicKey();
	expect(await verifyOffline(exported, key)).toMatchObject({ code: 0 });
	for (const secret of [PASSWORD, authorization]) expect(exported).not.toContain(secret);

	await bridge.kill("SIGTERM");
	const started = receipts.find(({ type }) => type === "tool.call.started");
	if (started === undefined) throw new Error("the call was never started");
	await using copy = await copyWithOneByteChanged(started.prevHash);
	const verified = await runCommand(copy, ["receipts", "verify"]);
	expect(verified.code).toBe(1);
	expect(`${verified.stdout}${verified.stderr}`).toContain(runId);
	expect(`${verified.stdout}${verified.stderr}`).toMatch(new RegExp(`\\b${started.n}\\b`));
	const changed = await runCommand(copy, ["receipts", "export"]);
	const offline = await verifyOffline(changed.stdout, key);
	expect(offline.code).toBe(1);
	expect(offline.said).toContain(runId);
});

it("[T1-94] a read runs without a question and leaves its trail", async () => {
	await addCalendar();
	await putEvent();
	const prompt = 'return await tools.calendar.listEvents({ from: "2026-05-01", to: "2026-06-01" });';
	const client = bridge.client();
	const { runId } = TaskSnapshot.parse(await client.rpc("session.start", turn({ prompt, providerId: "script" })));
	expect(await end(runId)).toMatchObject({ status: "completed", output: { text: expect.stringContaining("Dentist") } });
	expect(await approvals(client, {})).toEqual([]);
	expect((await receiptsOf(runId)).map(({ type }) => type)).toEqual(["tool.call.requested", "tool.call.started", "tool.call.succeeded"]);
	expect((await server.effects()).map(({ kind }) => kind)).toEqual(["event.created"]);
});
