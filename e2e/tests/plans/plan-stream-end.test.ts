import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { openPlanStream } from "../../support/plans/open-plan-stream.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";

let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	bridge = await startBridge();
	desk = new PlanDesk(bridge.client());
});
afterAll(() => bridge[Symbol.asyncDispose]());

/** A stream that does not end is noticed. */
const BOUND_MS = 15_000;
const WORK = "await tools.time.wait({ms: 1000}); return 'streamed'";
const later = { type: "scheduled", scheduledFor: new Date(Date.now() + 3_600_000).toISOString() };

it("the stream of one plan ends with the response, after its last update, when the plan is over", { timeout: BOUND_MS }, async () => {
	const plan = await desk.script(WORK);
	const live = await openPlanStream(desk.client, { planId: plan.planId });
	const { updates, response } = await live.toEnd();
	expect(updates).toEqual(await desk.updates(plan.planId));
	const last = updates.at(-1);
	expect(last?.status).toBe("completed");
	expect(response).toEqual({ id: live.id, result: { items: [], feedSeq: last?.feedSeq } });
	// What is over is replayed and ends, also to a reader that has all of it.
	const replayed = await openPlanStream(desk.client, { planId: plan.planId });
	expect((await replayed.toEnd()).updates).toEqual(updates);
	const after = await openPlanStream(desk.client, { planId: plan.planId, afterFeedSeq: last?.feedSeq ?? 0 });
	expect(await after.toEnd()).toEqual({ updates: [], response: { id: after.id, result: { items: [], feedSeq: last?.feedSeq } } });
});

it("the stream of a plan that is deleted ends; that of one that waits, is paused, or has more times does not", {
	timeout: BOUND_MS,
}, async () => {
	const waiting = await desk.create({ ...later, delivery: [{ channel: "dashboard", content: "later" }] });
	const others = [
		await desk.create({ ...later, delivery: [{ channel: "dashboard", content: "other" }] }),
		await desk.create({ type: "recurring", cron: "0 9 1 1 *", delivery: [{ channel: "dashboard", content: "yearly" }] }),
		await desk.script("return 'NONE'"),
	];
	const [paused, yearly, held] = others;
	await desk.call("pause", { planId: paused?.planId });
	await desk.run(yearly?.planId ?? "");
	await desk.settled(yearly?.planId ?? "");
	await desk.settled(held?.planId ?? "");
	const open = await Promise.all(others.map(({ planId }) => openPlanStream(desk.client, { planId })));
	const all = await openPlanStream(desk.client, {});
	const stream = await openPlanStream(desk.client, { planId: waiting.planId });
	await desk.call("delete", { planId: waiting.planId });
	const { updates, response } = await stream.toEnd();
	expect(updates.at(-1)?.status).toBe("deleted");
	expect(response).toBeDefined();
	// A later event of the feed reaches whoever is still there.
	for (const [index, { planId }] of others.entries()) {
		await open[index]?.until((update) => update.planId === planId);
		expect(open[index]?.response).toBeUndefined();
		await desk.call("delete", { planId });
		expect((await open[index]?.toEnd())?.updates.at(-1)?.status).toBe("deleted");
	}
	await all.until(({ planId, status }) => planId === held?.planId && status === "deleted");
	expect(all.response).toBeUndefined();
	all.drop();
});
