import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand, startCommand } from "../../support/app/command.ts";
import { startApp } from "../../support/app/started-app.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";

it("a folder that is no longer allowed stays the folder of the task that works in it, and is refused to the next one", async () => {
	await using home = await temporaryHome();
	const folder = join(home.path, "project");
	await mkdir(folder);
	await writeFile(join(home.xworkmate, "providers.json"), JSON.stringify({ agents: [unrulyAgent()] }));
	await writeFile(join(home.xworkmate, "config.json"), JSON.stringify({ allowedRoots: [folder] }));
	await using _app = await startApp(home);
	const run = ["run", "--provider", "unruly", "--cwd", folder];
	// It works for longer than the other command takes, and delivers afterwards.
	const running = startCommand(home, [...run, "UNRULY:SAY begun ;; SLOW 80 100 ;; WRITE report.md kept"]);
	await running.until(/begun/);
	const unset = await runCommand(home, ["config", "unset", "allowedRoots"]);
	expect([unset.code, unset.stdout], unset.stderr).toEqual([0, expect.stringContaining("allowedRoots is []")]);
	expect(running.stderr).not.toContain("checked file");
	const next = await runCommand(home, [...run, "UNRULY:SAY never"]);
	expect([next.code, next.stderr]).toEqual([1, expect.stringContaining("WORKING_DIRECTORY_REFUSED")]);
	const ended = await running.ended;
	expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining("1 checked file")]);
}, 120_000);
