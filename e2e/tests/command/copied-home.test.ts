import { cp } from "node:fs/promises";
import { expect, it } from "vitest";
import { backgroundHome, runIn as run } from "../../support/app/background-app.ts";
import { readEndpoint } from "../../support/bridge/bridge-process.ts";
import { writeReport } from "../../support/bridge/scripts.ts";
import { processesNaming } from "../../support/machine/live-processes.ts";

it("a copy of a home that was made while it runs is a home of its own: its commands reach neither the app nor the bridge of the original", async () => {
	await using original = await backgroundHome();
	await using copy = await backgroundHome();
	expect((await run(original, ["run", "--provider", "script", writeReport])).code).toBe(0);
	const owner = await original.owner();
	const bridge = await readEndpoint(original.home);
	await cp(original.home.path, copy.home.path, { recursive: true });
	const stopped = await run(copy, ["stop"]);
	expect(stopped.stdout).toContain("XWorkmate isn't running");
	expect((await run(copy, ["doctor"])).stdout).not.toContain(`process ${owner.pid}`);
	// At once, so that one of them looks for the app while another one starts it.
	const runs = await Promise.all([1, 2, 3].map(() => run(copy, ["run", "--provider", "script", writeReport])));
	expect(
		runs.map(({ code }) => code),
		runs.map(({ stderr }) => stderr).join("\n"),
	).toEqual([0, 0, 0]);
	expect((await copy.owner()).pid).not.toBe(owner.pid);
	expect((await readEndpoint(copy.home))?.pid).not.toBe(bridge?.pid);
	const threads = async (at: typeof copy) => JSON.parse((await run(at, ["threads", "list", "--json"])).stdout).length;
	expect([await threads(original), await threads(copy)]).toEqual([1, 4]);
	const alive = (await processesNaming(original.home.path)).map(({ pid }) => pid);
	expect(alive).toEqual(expect.arrayContaining([owner.pid, bridge?.pid]));
});
