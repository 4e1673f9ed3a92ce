import { afterEach, describe, expect, it, vi } from "vitest";
import { Core } from "../runs/core-fixture.ts";
import { asker, asking, decide, speak } from "../runs/plays.ts";

/** As a bridge is that has read what an earlier one had under way: the request is in the log, and whoever asked is gone. */
async function leftPending() {
	const core = await Core.open(asker(["allow_once", "deny"]), {}, { resumable: true });
	const runId = await core.submit("t1");
	const asked = await core.until(runId, asking);
	await core.die();
	core.play = speak;
	await core.load();
	return { core, runId, asked, [Symbol.asyncDispose]: () => core[Symbol.asyncDispose]() };
}

describe("a decision on a request that nobody waits for", () => {
	afterEach(() => {
		vi.useRealTimers();
	});

	it("counts, the first one, and stays when the run is taken up", async () => {
		await using left = await leftPending();
		const first = await decide(left.core, left.asked, "deny");
		expect(first).toMatchObject({ applied: true, record: { state: "decided", decision: "deny" } });
		expect((await left.core.service.snapshot(left.runId)).pendingApprovals).toEqual([]);
		await left.core.coordinator.recover();
		expect(await left.core.settled(left.runId)).toMatchObject({ status: "completed" });
		expect(await decide(left.core, left.asked, "allow_once")).toEqual({ ...first, applied: false });
	});

	it("does not count when the request's time is over: that was a deny", async () => {
		await using left = await leftPending();
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60_000 });
		const late = await decide(left.core, left.asked, "allow_once");
		expect(late).toMatchObject({ applied: false, record: { state: "expired" } });
		expect(late.record.decision).toBeUndefined();
	});
});
