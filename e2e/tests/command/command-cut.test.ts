import { afterAll, beforeAll, expect, it } from "vitest";
import { linesAndFiles } from "../../support/app/app-kill-rounds.ts";
import { startCommand } from "../../support/app/command.ts";
import { runThroughCut } from "../../support/app/remote-command.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type CutHow, cuttingProxy } from "../../support/machine/cutting-proxy.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { within } from "../../support/machine/wait-until.ts";

let bridge: BridgeProcess;

beforeAll(async () => {
	bridge = await startBridge({ env: { XWORKMATE_MAX_ACTIVE_RUNS: "8", XWORKMATE_HEARTBEAT_MS: "500" } });
});
afterAll(() => bridge[Symbol.asyncDispose]());

const hows: readonly CutHow[] = ["destroy", "reset", "half-close-down", "mid-event"];

it.each(hows)("[T4-44] [T4-45] recovers a run of the command whose stream was cut: %s", async (how) => {
	const afterEvents = 3 + hows.indexOf(how) * 5;
	const { ended, cuts, files } = await runThroughCut(bridge, linesAndFiles, { kind: "cut", afterEvents, how });
	expect(ended.code, ended.stderr).toBe(0);
	expect(cuts).toBe(1);
	expect(Object.keys(files).length).toBe(12);
	// Every line once, in order: nothing lost, nothing doubled.
	expect(ended.stdout.match(/line \d+/g)).toEqual(Array.from({ length: 12 }, (_, n) => `line ${n}`));
});

it("[T4-58] says that a bridge cannot be reached, and leaves when it is told to", async () => {
	await using home = await temporaryHome();
	const closed = await cuttingProxy(bridge.port);
	await closed[Symbol.asyncDispose]();
	const env = { XWORKMATE_BRIDGE_URL: `http://127.0.0.1:${closed.port}`, XWORKMATE_TOKEN: bridge.token };
	const command = startCommand(home, ["run", "--provider", "script", "return 1"], { env });
	await command.until(/ACP_HTTP_CONNECT_FAILED/);
	command.kill("SIGINT");
	await command.until(/Cancelling/);
	command.kill("SIGINT");
	const ended = await within("the end of the command", 10_000, command.ended);
	// Unless the stop was confirmed before it left, it does not know whether the run was cancelled.
	expect(ended.code, ended.stderr).toBe(/^Cancelled$/m.test(ended.stderr) ? 5 : 6);
});
