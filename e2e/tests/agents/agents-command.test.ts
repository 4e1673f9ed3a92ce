import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type FakeRegistry, startFakeRegistry, writeCatalogue } from "../../support/agents/fake-registry.ts";
import { type CommandEnd, runCommand, startCommand } from "../../support/app/command.ts";
import { DocumentedCommands } from "../../support/app/documented-commands.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";

const boundMs = 150_000;
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let home: TemporaryHome;
let registry: FakeRegistry;
let app: StartedApp;

/** The documented goose, as a package of the fake registry; and one that never answers. */
const offer = (version: string) =>
	writeCatalogue(home, [
		{
			id: "goose",
			package: "@fake/goose",
			version,
			extras: {
				auth: [
					{
						id: "openai-key",
						name: "OpenAI API key",
						vars: [{ name: "OPENAI_API_KEY" }, { name: "GOOSE_MODEL", label: "Model", secret: false }],
						env: { FAKE_AGENT_KEY: "set" },
					},
				],
			},
		},
		{ id: "hangs", package: "@fake/hangs", version: "1.0.0" },
		{ id: "endless", package: "@fake/endless", version: "1.0.0" },
	]);
const start = () => startApp(home, { npm_config_registry: registry.url });

beforeAll(async () => {
	home = await temporaryHome();
	registry = await startFakeRegistry();
	for (const version of ["1.0.0", "1.1.0"]) await registry.publish({ name: "@fake/goose", version, needsSignIn: true });
	await registry.publish({ name: "@fake/hangs", version: "1.0.0", start: "hangs" });
	await registry.publish({ name: "@fake/endless", version: "1.0.0", needsSignIn: true, signIn: "endless" });
	await offer("1.0.0");
	await writeFile(join(home.path, "notes.md"), "# Notes\n");
	app = await start();
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await registry[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/** What it wrote. @throws unless it ended as it should have */
async function ended(running: Promise<CommandEnd>, code = 0): Promise<string> {
	const end = await running;
	expect(end.code, end.stdout + end.stderr).toBe(code);
	return end.stdout;
}

it("docs/agents.md does what it says, command by command", async () => {
	const document = await DocumentedCommands.read(home, "agents.md");
	const run = (line: string, stdin = "", code = 0, more: readonly string[] = []) =>
		ended(document.run(line, { stdin, boundMs, more }), code);
	expect(await run("xworkmate agents")).toContain("goose  goose  not installed");
	const installed = await run("xworkmate agents install goose");
	expect(installed).toContain("goose 1.0.0 is installed.");
	expect(installed).toContain("goose  goose  needs a sign-in, 1.0.0");
	expect(await run("xworkmate agents login goose", "", 1)).toContain("--method openai-key --set GOOSE_MODEL=...");
	await run("xworkmate agents test goose", "", 1);
	const key = "key-that-is-a-secret";
	const signedIn = await run("xworkmate agents login goose --method openai-key --set GOOSE_MODEL=gpt-5.5", `${key}\n`);
	expect(signedIn).toContain("goose  goose  ready, 1.0.0");
	expect(JSON.parse(await readFile(join(home.xworkmate, "agent-secrets.json"), "utf8"))).toEqual({
		version: 1,
		agents: { goose: { OPENAI_API_KEY: key, GOOSE_MODEL: "gpt-5.5", FAKE_AGENT_KEY: "set" } },
	});
	expect(await run("xworkmate agents test")).toContain("ready");
	expect(await run('xworkmate run --provider goose "Summarize notes.md" --attach notes.md')).toContain('"version":"1.0.0"');
	expect(await run("xworkmate agents update")).toContain("Every installed agent has the version that XWorkmate offers.");
	const idle = await run("xworkmate agents cancel goose");
	expect(idle).toContain("goose is not being installed, updated or signed in to, so there is nothing to cancel.");
	expect(idle).toContain("ready, 1.0.0");
	expect(await run("xworkmate agents check")).toMatch(
		/The newest version in the registry is 1\.1\.0, as of .*\. XWorkmate installs 1\.0\.0\./,
	);

	await app[Symbol.asyncDispose]();
	await offer("1.1.0");
	app = await start();
	expect(await ended(runCommand(home, ["agents", "update"]))).toContain("1.1.0 is available");
	expect(await run("xworkmate agents update goose")).toContain("goose 1.1.0 is installed.");
	expect(await run("xworkmate agents logout goose")).toContain("Removed the stored sign-in for goose.");
	expect(await readFile(join(home.xworkmate, "agent-secrets.json"), "utf8")).not.toContain(key);
	const removed = await run("xworkmate agents remove goose", "", 0, ["--yes"]);
	expect(removed).toContain("Removed everything that XWorkmate had installed and stored for goose.");
	expect(removed).toContain("goose  goose  not installed");
	const again = await run("xworkmate agents remove goose", "", 0, ["--yes"]);
	expect(again).toContain("XWorkmate has not installed goose and does not store keys for it, so nothing was removed.");
	expect(await run("xworkmate agents update")).toContain("XWorkmate has not installed any agents, so there is nothing to update.");
	expect(document.untried).toEqual([]);
});

it("Ctrl+C cancels an installation, and a terminal sign-in runs the agent in this terminal", async () => {
	const installing = startCommand(home, ["agents", "install", "hangs"]);
	await installing.until(/hangs 1\.0\.0: starting the agent/, boundMs);
	installing.kill("SIGINT");
	expect(await installing.ended).toMatchObject({
		code: 5,
		stdout: expect.stringContaining("hangs 1.0.0 was not installed, and nothing was kept."),
	});
	const cancelled = startCommand(home, ["agents", "install", "hangs"]);
	await cancelled.until(/hangs 1\.0\.0: starting the agent/, boundMs);
	expect(await ended(runCommand(home, ["agents", "cancel", "hangs"]))).not.toContain("nothing to cancel");
	expect((await cancelled.ended).code).toBe(5);

	await ended(runCommand(home, ["agents", "install", "goose"], { boundMs }));
	const { code, stdout } = await runCommand(home, ["agents", "login", "goose", "--method", "tty"], { boundMs });
	expect([code, stdout]).toEqual([0, expect.stringMatching(/Signed in\.\n(?:.|\n)*goose {2}goose {2}ready/)]);
	expect(await runCommand(home, ["agents", "login", "goose", "--method", "key", "--set", "FAKE_AGENT_KEY=x"])).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("it is a secret"),
	});
});

it.each([
	["a second Ctrl+C kills it", ["SIGINT", "SIGINT"], 6],
	["SIGTERM to the command ends it", ["SIGTERM"], 1],
] as const)("a terminal sign-in that never ends: %s", async (_, [first, second], code) => {
	// Where the fake agents keep that someone signed in.
	await rm(join(home.path, ".fake-agent"), { force: true });
	await ended(runCommand(home, ["agents", "install", "endless"], { boundMs }));
	const signingIn = startCommand(home, ["agents", "login", "endless", "--method", "tty"]);
	const [, pid] = await signingIn.until(/Waiting for you, as process (\d+)\./, boundMs);
	const atWork = (): boolean => existsSync(`/proc/${pid}/exe`);
	try {
		signingIn.kill(first);
		if (second !== undefined) {
			await signingIn.until(/press Ctrl\+C again/);
			signingIn.kill(second);
		}
		expect((await within("the end of the sign-in", 20_000, signingIn.ended)).code).toBe(code);
		await waitUntil("the end of the agent's program", 10_000, () => (atWork() ? undefined : true));
	} finally {
		// A program that nothing ends would keep the command, and with it the home.
		if (atWork()) process.kill(Number(pid), "SIGKILL");
	}
	expect(await ended(runCommand(home, ["agents"]))).toContain("endless  endless  needs a sign-in, 1.0.0");
});
