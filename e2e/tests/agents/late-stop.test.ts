import { expect, it } from "vitest";
import { runCommand, startCommand } from "../../support/app/command.ts";
import { listThreads, quietThreads } from "../../support/app/started-app.ts";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { sayLines } from "../../support/bridge/scripts.ts";
import { breakableProxy } from "../../support/machine/breakable-proxy.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";

it("[D3] a stop that was asked for while the bridge was away reaches it when it is back, also after kill -9 of the app", async () => {
	await using bridge = await startBridge();
	await using proxy = await breakableProxy(bridge.port);
	await using home = await temporaryHome();
	const env = { XWORKMATE_BRIDGE_URL: `http://127.0.0.1:${proxy.port}`, XWORKMATE_TOKEN: bridge.token };
	const first = startCommand(home, ["start"], { env });
	await first.until(/XWorkmate is running/);
	const sent = await runCommand(home, ["run", "--detach", "--provider", "script", sayLines(3_000, 100)]);
	expect(sent.code, sent.stderr).toBe(0);
	const threadId = await waitUntil("the run is known", 20_000, async () => {
		const [thread] = await listThreads(home);
		return thread?.turns[0]?.runId === undefined ? undefined : thread.threadId;
	});
	proxy.mode = "reset";
	const cancelled = await runCommand(home, ["cancel", threadId]);
	expect(cancelled.code, cancelled.stderr).toBe(0);
	expect(cancelled.stdout).toContain("waiting for confirmation");
	first.kill("SIGKILL");
	await within("the end of the app", 10_000, first.ended);
	proxy.mode = "pass";
	const second = startCommand(home, ["start"], { env });
	try {
		await second.until(/XWorkmate is running/);
		const threads = await quietThreads(home);
		expect(threads.map(({ turns }) => turns.map(({ status }) => status))).toEqual([["cancelled"]]);
	} finally {
		second.kill("SIGTERM");
		await within("the end of the app", 20_000, second.ended);
	}
});
