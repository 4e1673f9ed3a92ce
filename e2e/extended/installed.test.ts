import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCommand } from "../support/app/command.ts";
import { type InstalledPackage, installPackage } from "../support/installed/install-package.ts";
import { expectNoProcessNaming } from "../support/machine/live-processes.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";

let folder: string;
let installed: InstalledPackage;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "installed-"));
	installed = await installPackage(folder);
}, 240_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the installed command starts the bridge and the page, runs a program, checks a tool, and ends with all that is its own", async () => {
	await using home = await temporaryHome();
	// No npm, no shell's tools: node alone.
	const env = { PATH: installed.bin, HOME: home.path, XWORKMATE_HOME: home.xworkmate, XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" };
	const xworkmate = (...args: string[]) =>
		promisify(execFile)(join(installed.bin, "xworkmate"), args, { env, cwd: home.path, timeout: 60_000 });
	expect((await xworkmate("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);

	const program = join(installed.folder, "programs", "xworkmate.js");
	const running = startCommand(home, ["start"], { env, program });
	const [, link = ""] = await running.until(/(http:\/\/127\.0\.0\.1:\d+\/open\/\S+)/);
	expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
	await running.until(/To stop it, end process \d+\./);
	expect(running.stdout).not.toMatch(/npm run|npm start/);

	const { stderr } = await xworkmate("run", "--provider", "script", "await tools.files.write({path:'a.md', text:'# a'}); return 'done'");
	expect(stderr).toContain("1 checked file");
	const checked = await xworkmate("tools", "check", join(installed.folder, "examples", "tools", "github"));
	expect(checked.stdout).toMatch(/^No problems found. Tools: github\./);

	// The links that it prints let a browser in once. A service keeps its standard error, and nothing else.
	expect(running.stderr).not.toContain("/open/");

	running.kill("SIGTERM");
	expect((await running.ended).code).toBe(0);
	await expectNoProcessNaming(home.path);
});

test("an installed command starts the app in the background, which serves the page and ends when it is told to", async () => {
	await using home = await temporaryHome();
	const env = {
		...{ PATH: installed.bin, HOME: home.path, XWORKMATE_HOME: home.xworkmate },
		...{ XWORKMATE_APP_LISTEN: "127.0.0.1:0", XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" },
	};
	const xworkmate = (...args: string[]) =>
		promisify(execFile)(join(installed.bin, "xworkmate"), args, { env, cwd: home.path, timeout: 60_000 });
	const { stdout } = await xworkmate("open", "--print");
	expect((await fetch(stdout.trim(), { redirect: "manual" })).status).toBe(303);
	expect(await (await fetch(new URL("/", stdout.trim()))).text()).toContain('<script type="module"');
	expect((await xworkmate("doctor")).stdout).toMatch(/Running in the background since .*\n *Stop it: xworkmate stop\n/);
	expect((await xworkmate("stop")).stdout).toBe("XWorkmate has stopped.\n");
	await expectNoProcessNaming(home.path);
});

test.each([
	["thr", ["threads"]],
	["threads sh", ["show"]],
	["receipts ver", ["verify"]],
])("bash completes %j", async (typed, completed) => {
	const words = ["xworkmate", ...typed.split(" ")];
	// What the package bash-completion gives every shell: the words of the line that is typed.
	const script = `_get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; }
source <(xworkmate completion bash)
COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}
__xworkmate_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
	const env = { PATH: `${installed.bin}:/usr/bin:/bin`, HOME: folder };
	const { stdout } = await promisify(execFile)("/bin/bash", ["-c", script], { env, timeout: 30_000 });
	expect(
		stdout
			.trim()
			.split("\n")
			.map((line) => line.trim()),
	).toEqual(completed);
});

test.each(["zsh", "fish"])("there is a script for %s", async (shell) => {
	const env = { PATH: installed.bin, HOME: folder };
	const { stdout } = await promisify(execFile)(join(installed.bin, "xworkmate"), ["completion", shell], { env, timeout: 30_000 });
	expect(stdout).toContain("xworkmate complete");
});
