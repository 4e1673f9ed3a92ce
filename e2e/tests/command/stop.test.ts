import { expect, it } from "vitest";
import { backgroundHome, beginIn as begin, runIn as run } from "../../support/app/background-app.ts";
import { clientOf } from "../../support/app/kept-bridge.ts";
import { readEndpoint } from "../../support/bridge/bridge-process.ts";
import { sayLines } from "../../support/bridge/scripts.ts";
import { endByPid, expectNoProcessNaming } from "../../support/machine/live-processes.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";

const END_MS = 40_000;

it("`stop` says what it ends, and a command that followed the run says that it did not see its end, with nothing left behind", async () => {
	await using at = await backgroundHome();
	const command = begin(at, ["run", "--provider", "script", sayLines(600, 100)]);
	await command.until(/line 3\b/);
	const stop = await run(at, ["stop"]);
	expect([stop.code, stop.stdout, stop.stderr]).toEqual([
		0,
		"XWorkmate has stopped.\n",
		expect.stringMatching(
			/^Stopping\. 1 run on this computer is in progress:\n {2}.*: continues the next time the bridge starts if it has called a typed tool, and is interrupted otherwise\n/,
		),
	]);
	const ended = await within("the end of the command", END_MS, command.ended);
	expect([ended.code, ended.stderr]).toEqual([
		6,
		expect.stringContaining("XWorkmate was stopped before this command could see how the run ended."),
	]);
	await expectNoProcessNaming(at.home.path, END_MS);
	expect(await run(at, ["stop"])).toMatchObject({ code: 0, stdout: "XWorkmate isn't running.\n" });
	const [, thread = ""] = /threads show (\S+)/.exec(ended.stderr) ?? [];
	expect((await run(at, ["threads", "show", thread])).stdout).toContain("BRIDGE_STOPPED");
});

it("`stop` is final: a command that follows a plan ends and says so, and starts no other app", async () => {
	await using at = await backgroundHome();
	expect((await run(at, ["threads", "list"])).code).toBe(0);
	const desk = new PlanDesk(await clientOf(at.home));
	const plan = await desk.script("return 'fired'", { type: "scheduled", scheduledFor: new Date(Date.now() + 3_600_000).toISOString() });
	const watch = begin(at, ["plans", "watch", plan.planId]);
	await watch.until(/\w/);
	const stop = await run(at, ["stop"]);
	expect([stop.code, stop.stdout]).toEqual([0, "XWorkmate has stopped.\n"]);
	const ended = await within("the end of the command", END_MS, watch.ended);
	expect([ended.code, ended.stderr]).toEqual([6, expect.stringMatching(/XWorkmate was stopped.*\n.*plans watch /)]);
	await expectNoProcessNaming(at.home.path);
	expect(await run(at, ["stop"])).toMatchObject({ code: 0, stdout: "XWorkmate isn't running.\n" });
});

it("`stop` ends a bridge whose app died, with the run in it", async () => {
	await using at = await backgroundHome();
	expect((await run(at, ["run", "--detach", "--provider", "script", sayLines(600, 100)])).code).toBe(0);
	endByPid((await at.owner()).pid);
	await at.onlyApps([]);
	const stop = await run(at, ["stop"]);
	expect([stop.code, stop.stdout, stop.stderr]).toEqual([
		0,
		"XWorkmate has stopped.\n",
		expect.stringMatching(
			/^Stopping the bridge, .* 1 run on this computer is in progress:\n {2}Thread .*, run \S+: continues the next time the bridge starts if it has called a typed tool/,
		),
	]);
	await expectNoProcessNaming(at.home.path);
	expect(await run(at, ["stop"])).toMatchObject({ code: 0, stdout: "XWorkmate isn't running.\n" });
	const threads = await run(at, ["threads", "list", "--json"]);
	expect(JSON.parse(threads.stdout)).toMatchObject([{ lastResultCode: "interrupted" }]);
});

it("`stop` leaves a bridge in a terminal alone, and says how to end it", async () => {
	await using at = await backgroundHome();
	const bridge = begin(at, ["bridge"]);
	const { pid } = await waitUntil("the bridge", END_MS, () => readEndpoint(at.home));
	const stop = await run(at, ["stop"]);
	expect([stop.code, stop.stdout, stop.stderr]).toEqual([1, "", expect.stringContaining(`Ctrl+C in its terminal, or end process ${pid}.`)]);
	bridge.kill("SIGTERM");
	await within("the end of the bridge", END_MS, bridge.ended);
});

it("`stop` leaves an app alone that `start` runs, and names no terminal if it has none", async () => {
	await using at = await backgroundHome();
	const start = begin(at, ["start"]);
	await start.until(/\/open\//);
	const stop = await run(at, ["stop"]);
	expect([stop.code, stop.stderr]).toEqual([
		1,
		expect.stringMatching(/Running without a terminal since .*\n.*To stop it, end process \d+\.\n$/),
	]);
	start.kill("SIGTERM");
	await within("the end of start", END_MS, start.ended);
});
