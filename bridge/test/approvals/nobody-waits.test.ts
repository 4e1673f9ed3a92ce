import { afterEach, describe, expect, it, vi } from "vitest";
import { speak } from "../runs/plays.ts";
import { askedCall, openCore, startRun } from "./typed-calls.ts";

/** As a bridge is that has read what an earlier one had under way: the request is in the log, and whoever asked is gone. */
async function leftPending() {
	const core = await openCore();
	const runId = await startRun(core);
	const { approvalId } = await askedCall(core, runId);
	await core.die();
	core.play = speak;
	await core.load();
	return { core, runId, approvalId, [Symbol.asyncDispose]: () => core[Symbol.asyncDispose]() };
}

describe("a decision on a request that nobody waits for", () => {
	afterEach(() => {
		vi.useRealTimers();
	});

	it("counts, the first one, and stays when the run is taken up", async () => {
		await using left = await leftPending();
		const first = await left.core.service.decideApproval(left.approvalId, "deny", "person");
		expect(first).toMatchObject({ applied: true, record: { state: "decided", decision: "deny" } });
		expect((await left.core.service.snapshot(left.runId)).pendingApprovals).toEqual([]);
		await left.core.coordinator.recover();
		expect(await left.core.settled(left.runId)).toMatchObject({ status: "completed" });
		expect(await left.core.service.decideApproval(left.approvalId, "allow_once", "person")).toEqual({ ...first, applied: false });
	});

	it("does not count when the request's time is over: that was a deny", async () => {
		await using left = await leftPending();
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60_000 });
		const late = await left.core.service.decideApproval(left.approvalId, "allow_once", "person");
		expect(late).toMatchObject({ applied: false, record: { state: "expired" } });
		expect(late.record.decision).toBeUndefined();
	});
});
