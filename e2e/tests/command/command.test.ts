import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand, startCommand } from "../../support/app/command.ts";
import { quietThreads, startApp } from "../../support/app/started-app.ts";
import { syncedFiles } from "../../support/app/thread-folder.ts";
import { readEndpoint, readToken, startBridge } from "../../support/bridge/bridge-process.ts";
import { sayLines, waitFor } from "../../support/bridge/scripts.ts";
import { settleAgain } from "../../support/bridge/settle.ts";
import { expectNoProcessNaming } from "../../support/machine/live-processes.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { BareClient } from "../../support/wire/bare-client.ts";
import { expectServedBytes, sha256Of } from "../../support/wire/served-artifacts.ts";
import { TaskSnapshot } from "../../support/wire/wire.ts";

const program = "await tools.files.write({path:'report.md', text:'# hello'}); return 'done'";
const TaskList = z.looseObject({ items: z.array(z.looseObject({ status: z.string() })) });
const run = ["run", "--provider", "script"];

it("[T4-46] [T4-56] delivers the file of a run into the thread's folder, with the manifest's hash", async () => {
	await using home = await temporaryHome();
	const ended = await runCommand(home, [...run, program]);
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout).toContain("done");
	await expectNoProcessNaming(home.path);
	const files = await syncedFiles(home);
	expect(Object.values(files)).toEqual([sha256Of("# hello")]);
	await using bridge = await startBridge({ home });
	const client = bridge.client();
	const { items } = TaskSnapshot.pick({ runId: true })
		.array()
		.transform((list) => ({ items: list }))
		.parse(Object(await client.rpc("xworkmate.tasks.list")).items);
	expect(items.length).toBe(1);
	const { snapshot } = await settleAgain(client, items[0]?.runId ?? "");
	const { manifest } = await expectServedBytes(client, snapshot);
	const [session] = snapshot.artifactScope.split("/").slice(1);
	expect(files).toEqual(Object.fromEntries(manifest.items.map((item) => [`${session}/${item.relativePath}`, item.sha256])));
});

it("[T4-12] [T4-34] says which required file is missing, ends with 4 and syncs nothing", async () => {
	await using home = await temporaryHome();
	const ended = await runCommand(home, [...run, "--require", "*.pdf", program]);
	expect(ended.code, ended.stderr).toBe(4);
	expect(ended.stdout + ended.stderr).toContain("*.pdf");
	expect(await syncedFiles(home)).toEqual({});
});

it("leaves a detached run to its bridge, which ends it with no app there, and the next app saves its files", async () => {
	await using home = await temporaryHome();
	const sent = await runCommand(home, [...run, "--detach", `await tools.time.wait({ms: 1500}); ${program}`]);
	expect([sent.code, sent.stdout], sent.stderr).toEqual([0, expect.stringMatching(/^Sent\. /)]);
	const endpoint = await readEndpoint(home);
	if (endpoint === undefined) throw new Error("no bridge was left");
	const client = new BareClient({ url: endpoint.url, token: await readToken(home) });
	await waitUntil("the end of the run", 30_000, async () => {
		const { items } = TaskList.parse(await client.rpc("xworkmate.tasks.list"));
		return items[0]?.status === "completed" ? true : undefined;
	});
	await using _app = await startApp(home);
	expect(await quietThreads(home)).toMatchObject([{ lastResultCode: "success", lastArtifactSyncStatus: "synced" }]);
	expect(Object.values(await syncedFiles(home))).toEqual([sha256Of("# hello")]);
});

it("takes a folder as it is named from here", async () => {
	await using home = await temporaryHome();
	const ended = await runCommand(home, [...run, "--cwd", ".", "return 'here'"], { env: { XWORKMATE_ALLOWED_ROOTS: home.path } });
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout + ended.stderr).not.toMatch(/working directory|not used/);
});

it("runs nothing when it can't work in the folder that --cwd names, and says why and what to do", async () => {
	await using home = await temporaryHome();
	await mkdir(join(home.path, "project"));
	await writeFile(join(home.path, "project", "file"), "");
	const env = { XWORKMATE_ALLOWED_ROOTS: join(home.path, "project") };
	for (const [folder, why] of [
		["project/nope", /does not exist/],
		["project/file", /is not a directory/],
		[".", /outside the project folders/],
	] as const) {
		const ended = await runCommand(home, [...run, "--cwd", folder, program], { env });
		expect([ended.code, ended.stdout], ended.stderr).toEqual([1, ""]);
		expect(ended.stderr).toMatch(/Not sent \(WORKING_DIRECTORY_REFUSED\)/);
		expect(ended.stderr).toMatch(why);
		expect(ended.stderr).toMatch(/allowedRoots/);
	}
	const tasks = await runCommand(home, ["tasks"], { env });
	expect(tasks.stdout).toBe("No runs yet.\n");
	expect(await syncedFiles(home)).toEqual({});
});

it("prints one event a line with --json, and nothing else", async () => {
	await using home = await temporaryHome();
	const ended = await runCommand(home, [...run, "--json", sayLines(3, 20)]);
	expect(ended.code, ended.stderr).toBe(0);
	const lines = ended.stdout.trimEnd().split("\n");
	const events = lines.map((line): unknown => JSON.parse(line));
	expect(events.length).toBeGreaterThanOrEqual(5);
	expect(ended.stdout).toContain("line 3");
	for (const event of events) expect(event).toBeTypeOf("object");
});

it("[T4-60] cancels the run on Ctrl+C, says so and ends with 5", async () => {
	await using home = await temporaryHome();
	const command = startCommand(home, [...run, waitFor(60_000)]);
	await command.until(/waiting/);
	command.kill("SIGINT");
	const ended = await command.ended;
	expect(ended.code, ended.stdout + ended.stderr).toBe(5);
	expect(ended.stdout + ended.stderr).toMatch(/cancel/i);
	await expectNoProcessNaming(home.path);
	await using bridge = await startBridge({ home });
	expect(await bridge.client().rpc("xworkmate.tasks.list")).toMatchObject({ items: [{ status: "cancelled" }] });
});

it.each([
	["a failing program", ["--provider", "script", "throw new Error('no')"], 3, /SCRIPT_ERROR|no/],
	["a program that is none", ["--provider", "script", "const = 1"], 3, /SCRIPT_INVALID/],
	["an unknown provider", ["--provider", "nobody", "hello"], 1, /nobody/],
	["a flag that does not exist", ["--frobnicate", "hello"], 2, /frobnicate/],
	["no prompt", ["--provider", "script"], 2, /prompt/i],
])("ends by its own code: %s", async (_, args, code, says) => {
	await using home = await temporaryHome();
	const ended = await runCommand(home, ["run", ...args]);
	expect(ended.code, ended.stdout + ended.stderr).toBe(code);
	expect(ended.stdout + ended.stderr).toMatch(says);
	expect(await syncedFiles(home)).toEqual({});
	await expectNoProcessNaming(home.path);
});

it("takes the prompt from stdin, and shows no terminal control sequence of an agent", async () => {
	await using home = await temporaryHome();
	const hostile = "console.log('\\u001b]0;owned\\u0007\\u001b[31mred\\u009b2J\\u202e'); return 'plain'";
	const ended = await runCommand(home, [...run, "-"], { stdin: hostile });
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout).toContain("plain");
	expect((ended.stdout + ended.stderr).replaceAll(/[\n\r\t]/g, "")).not.toMatch(/\p{Cc}|\u202e/u);
});
