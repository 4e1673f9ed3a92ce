import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand, startCommand } from "../../support/app/command.ts";
import { listThreads, quietThreads, type StartedApp, startApp } from "../../support/app/started-app.ts";
import { syncedFiles } from "../../support/app/thread-folder.ts";
import { readEndpoint, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { waitFor, writeReport } from "../../support/bridge/scripts.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";

// Every command here runs beside one running `xworkmate start`, which owns the home.
let home: TemporaryHome;
let app: StartedApp;

beforeAll(async () => {
	home = await temporaryHome();
	await writeProviders(home, [unrulyAgent()]);
	app = await startApp(home);
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const Pending = z.array(z.looseObject({ approvalId: z.string(), title: z.string() }));

async function pendingApproval(): Promise<string> {
	const { stdout } = await runCommand(home, ["approvals", "list", "--json"]);
	const [first] = Pending.parse(JSON.parse(stdout));
	if (first === undefined) throw new Error("nothing is pending");
	return first.approvalId;
}

it("prints where it listens, what it found, what is missing and the next command", async () => {
	const endpoint = await readEndpoint(home);
	expect(endpoint?.pid).toBe(app.bridgePid);
	for (const word of [/127\.0\.0\.1:\d+/, /script/, /unruly/, /goose/, /agents install/, /xworkmate run|npm run -s xworkmate/])
		await app.command.until(word);
});

it("[T4-10] runs as a client of the running app, with the same bridge", async () => {
	const ended = await runCommand(home, ["run", "--provider", "script", writeReport]);
	expect(ended.code, ended.stderr).toBe(0);
	expect(Object.keys(await syncedFiles(home)).some((path) => path.endsWith("/report.md"))).toBe(true);
	expect((await readEndpoint(home))?.pid).toBe(app.bridgePid);
});

it.each([
	["allow", "answer allow_once"],
	["deny", "answer reject_once"],
])("takes an answer from a second command: %s", async (verb, answer) => {
	const run = startCommand(home, ["run", "--provider", "unruly", "UNRULY:ASK write it"]);
	await run.until(/write it/);
	const approvalId = await pendingApproval();
	expect((await runCommand(home, ["approvals", verb, approvalId])).code).toBe(0);
	const ended = await run.ended;
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout).toContain(answer);
	const late = await runCommand(home, ["approvals", verb === "allow" ? "deny" : "allow", approvalId]);
	expect(late.stdout + late.stderr).toMatch(/over already|already/i);
});

it.each([
	["all", "answer allow_once"],
	["none", "answer reject_once"],
])("answers by itself with --approve %s", async (mode, answer) => {
	const ended = await runCommand(home, ["run", "--provider", "unruly", "--approve", mode, "UNRULY:ASK write it"]);
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout).toContain(answer);
});

it("[T4-04] [T4-36] continues a thread, and cancels a run from a second command", async () => {
	const first = await runCommand(home, ["run", "--provider", "unruly", "--json", "UNRULY:SESSION"]);
	const [threadId] = /"threadId":"([^"]+)"/.exec(first.stdout)?.slice(1) ?? [];
	const second = await runCommand(home, ["run", "--provider", "unruly", "--thread", threadId ?? "", "UNRULY:SESSION"]);
	expect(second.stdout).toContain("prompt 2");
	const run = startCommand(home, ["run", "--json", "--provider", "script", waitFor(60_000)]);
	const [, runId] = await run.until(/"runId":"([^"]+)"/);
	await run.until(/waiting/);
	expect((await runCommand(home, ["cancel", runId ?? ""])).code).toBe(0);
	expect((await run.ended).code).toBe(5);
});

it("detaches, and finds the files afterwards", async () => {
	const ended = await runCommand(home, ["run", "--detach", "--provider", "script", writeReport]);
	expect(ended.code, ended.stderr).toBe(0);
	const threads = await quietThreads(home);
	expect(threads[0]).toMatchObject({
		lastResultCode: "success",
		lastArtifactSyncStatus: "synced",
		lastTaskArtifactRelativePaths: ["report.md"],
	});
});

it("[T4-61] [T4-62] archives, restores and deletes a thread", async () => {
	const [thread] = await listThreads(home);
	const { threadId } = thread ?? { threadId: "" };
	expect((await runCommand(home, ["threads", "archive", threadId])).code).toBe(0);
	expect((await listThreads(home)).map((listed) => listed.threadId)).not.toContain(threadId);
	expect((await runCommand(home, ["threads", "restore", threadId])).code).toBe(0);
	expect((await listThreads(home)).map((listed) => listed.threadId)).toContain(threadId);
	expect((await runCommand(home, ["threads", "delete", threadId, "--yes"])).code).toBe(0);
	expect((await listThreads(home)).map((listed) => listed.threadId)).not.toContain(threadId);
});

it("[T4-57] [T4-63] [T4-83] makes a thread ready again after every failure, and says which it was", async () => {
	const failures = [
		["throw new Error('no')", [], 3, { lastResultCode: "failed", lastArtifactSyncStatus: "failed" }],
		["return 'no file'", ["--require", "*.pdf"], 4, { lastResultCode: "artifact_missing", lastArtifactSyncStatus: "failed" }],
		[waitFor(60_000), ["--timeout", "1"], 5, { lastResultCode: "aborted", lastArtifactSyncStatus: "failed" }],
	] as const;
	for (const [prompt, flags, code, expected] of failures) {
		const ended = await runCommand(home, ["run", "--provider", "script", ...flags, prompt]);
		expect(ended.code, ended.stdout + ended.stderr).toBe(code);
		if (code === 5) expect(ended.stdout + ended.stderr).toContain("Stopped after 1");
		const [newest] = await listThreads(home);
		expect(newest).toMatchObject({ lifecycleStatus: "ready", lastTaskArtifactRelativePaths: [], ...expected });
	}
});

it("shows no terminal control sequence of an agent, in text, tools or names", async () => {
	const ended = await runCommand(home, ["run", "--provider", "unruly", "UNRULY:ESCAPES ;; WRITE \u001b[2Jname.txt x ;; SAY end"]);
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout).toContain("red");
	expect((ended.stdout + ended.stderr).replaceAll(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
});

it("a second start with other settings names them, not their values, and says how to apply them", async () => {
	const env = { XWORKMATE_ALLOWED_ROOTS: "/somewhere", XWORKMATE_OPENCLAW_TOKEN: "a-secret" };
	const second = await runCommand(home, ["start"], { env });
	expect(second.code, second.stderr).toBe(0);
	expect(second.stderr).toContain("has different settings: XWORKMATE_ALLOWED_ROOTS, XWORKMATE_OPENCLAW_TOKEN.\n");
	expect(second.stderr).toMatch(/end process \d+, then start XWorkmate here: (?:npm|xworkmate) start\n/);
	expect(second.stdout).toContain("XWorkmate is already running.");
	expect(second.stdout + second.stderr).not.toMatch(/somewhere|a-secret/);
});

it("[D12] a second start in the same home says that it is running and gives a new link", async () => {
	const second = await runCommand(home, ["start"]);
	expect(second.code, second.stderr).toBe(0);
	expect(second.stdout).toMatch(/^XWorkmate is already running\. Open it .*:\nhttp:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}\n$/);
	expect(second.stderr).toBe("");
});
