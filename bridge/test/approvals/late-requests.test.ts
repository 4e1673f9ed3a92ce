import { expect, it } from "vitest";
import type { PermissionRequest } from "../../src/ports/agents/provider.ts";
import { Core, ended, type Play, say, whenAborted } from "../runs/core-fixture.ts";
import { asking, decide, everyEvent, working } from "../runs/plays.ts";

const request: PermissionRequest = {
	...{ title: "npm test", toolKind: "execute", command: "npm test", inputHash: "0".repeat(64) },
	...{ input: { text: JSON.stringify({ command: "npm test" }), truncated: false }, options: ["allow_once", "allow_window", "deny"] },
};

/** Asks at once in the first run of a thread, and only after the stop in any other. */
const asks: Play = async ({ turnId }, sink, stop) => {
	if (turnId === "t1") await sink.requestPermission(request);
	if (turnId === "t1") return ended;
	await say(sink, "working");
	await whenAborted(stop);
	const { decision } = await sink.requestPermission({ ...request, isLate: true });
	return { kind: "cancelled", remote: decision !== "withdrawn" };
};

it.each([
	["was stopped", {}, "run_stopped"],
	["had no time left", { runBudgetMs: 100 }, "run_ended"],
] as const)(
	"a request that an agent makes after its run %s is recorded as withdrawn, also if a permission covers it",
	async (_, options, reason) => {
		await using core = await Core.open(asks, options);
		const first = await core.submit("t1");
		await decide(core, await core.until(first, asking), "allow_window");
		await core.settled(first);
		const runId = await core.submit("t2");
		await core.until(runId, working);
		if (reason === "run_stopped") await core.service.cancel(runId);
		await core.settled(runId);
		const records = (await everyEvent(core, runId)).flatMap(({ event }) => (event.type === "approval" ? [event.record] : []));
		expect(records).toMatchObject([{ state: "withdrawn", reason, title: "npm test" }]);
		expect(records[0]).not.toHaveProperty("decidedBy");
	},
);
