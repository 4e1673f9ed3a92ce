import { expect, it } from "vitest";
import { appKillRounds, expectAgreement, linesAndFiles } from "../../support/app/app-kill-rounds.ts";
import { startCommand } from "../../support/app/command.ts";
import { quietThreads, startApp } from "../../support/app/started-app.ts";
import { endByPid } from "../../support/machine/live-processes.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { within } from "../../support/machine/wait-until.ts";

it("[T4-18] [T4-59] takes up every thread again after kill -9 of the app at seeded moments", () => appKillRounds(7, 2), 150_000);

it("[T4-18] finds the run of a command that was killed", async () => {
	await using home = await temporaryHome();
	const run = startCommand(home, ["run", "--provider", "script", linesAndFiles]);
	await run.until(/line 3\b/);
	endByPid(run.pid);
	await within("the end of the command", 5_000, run.ended);
	await using _app = await startApp(home);
	const threads = await quietThreads(home);
	expect(threads.length).toBe(1);
	for (const thread of threads) await expectAgreement(home, thread);
});

it("[D4] says nothing of a task that went with the app that was stopped under the command, but how it ended", async () => {
	await using home = await temporaryHome();
	await using app = await startApp(home);
	const run = startCommand(home, ["run", "--provider", "script", linesAndFiles]);
	await run.until(/line 3\b/);
	app.command.kill("SIGINT");
	const ended = await within("the end of the command", 40_000, run.ended);
	expect(ended.code, ended.stdout + ended.stderr).toBe(6);
	expect(ended.stderr).toContain("BRIDGE_STOPPED");
	expect(ended.stderr).not.toMatch(/is still running|goes on in/);
});

it("[T4-44] [T4-58] tells the outcome of a run whose bridge was killed under the command", async () => {
	await using home = await temporaryHome();
	await using app = await startApp(home);
	const run = startCommand(home, ["run", "--provider", "script", linesAndFiles]);
	await run.until(/line 3\b/);
	endByPid(app.bridgePid);
	const ended = await within("the end of the command", 40_000, run.ended);
	expect(ended.code, ended.stdout + ended.stderr).toBe(6);
	expect(ended.stdout + ended.stderr).toContain("BRIDGE_RESTARTED");
	expect(ended.stderr).toContain("The bridge stopped during this run");
	expect(ended.stderr).not.toMatch(/is still running|goes on in/);
});
