import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { Occurrence } from "../../support/plans/plan-wire.ts";
import { refused } from "../../support/wire/refused.ts";

let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	bridge = await startBridge();
	desk = new PlanDesk(bridge.client());
});
afterAll(() => bridge[Symbol.asyncDispose]());

const ofPlan = async (planId: string) => (await desk.inbox()).filter((row) => row.planId === planId);
const first = ({ delivery }: Occurrence) => delivery[0]?.actionId ?? "";

/** A message that waits for a person, because the program declined. */
async function held(terms: Record<string, unknown> = {}): Promise<Occurrence> {
	const plan = await desk.script("return 'NONE'", terms);
	return desk.settled(plan.planId);
}

/** A message that waits although its text is given: its time has passed. */
async function missed(content = "as it is"): Promise<Occurrence> {
	const scheduledFor = new Date(Date.now() + 2_000).toISOString();
	const plan = await desk.create({ type: "scheduled", scheduledFor, delivery: [{ channel: "dashboard", content }] });
	await desk.call("pause", { planId: plan.planId });
	await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(Date.parse(scheduledFor));
	await desk.call("resume", { planId: plan.planId });
	return desk.settled(plan.planId);
}

it("[T2-20][T2-53] sends in a person's words exactly what was previewed, once", async () => {
	const occurrence = await held();
	const { occurrenceId, revision, planId } = occurrence;
	const actionId = first(occurrence);
	const content = "  I would rather not.\r\nYours  ";
	const preview = await desk.preview({ occurrenceId, actionId, content });
	const decision = { occurrenceId, actionId, revision, decision: "edit", content, payloadHash: preview.payloadHash };
	const { applied } = await desk.decide("review", decision);
	expect(applied).toBe(true);
	expect(await desk.settled(planId)).toMatchObject({
		status: "completed",
		deliverable: { text: "I would rather not.\nYours", source: "person" },
		delivery: [{ status: "completed", payloadHash: preview.payloadHash }],
	});
	expect((await ofPlan(planId)).map(({ text }) => text)).toEqual(["I would rather not.\nYours"]);
	const late = await desk.decide("review", decision);
	expect(late).toMatchObject({ applied: false, occurrence: { status: "completed" } });
	expect((await ofPlan(planId)).length).toBe(1);
});

it("sends what was given once a person has looked at it, and nothing else under its hash", async () => {
	const occurrence = await missed();
	const { occurrenceId, revision, planId } = occurrence;
	const actionId = first(occurrence);
	const { payloadHash } = await desk.preview({ occurrenceId, actionId });
	const send = { occurrenceId, actionId, revision, decision: "send" };
	const other = await desk.preview({ occurrenceId, actionId, content: "something else" });
	for (const wrong of [createHash("sha256").update("x").digest("hex"), other.payloadHash]) {
		const refusal = await refused(desk.call("review", { ...send, payloadHash: wrong }));
		expect(refusal).toMatchObject({ code: -32009, data: { code: "PAYLOAD_CHANGED" } });
	}
	expect((await refused(desk.call("review", send))).data.code).toBe("INVALID_PARAMS");
	expect(await desk.decide("review", { ...send, revision: revision + 1, payloadHash })).toMatchObject({ applied: false });
	expect(await ofPlan(planId)).toEqual([]);
	const decided = await Promise.all(Array.from({ length: 5 }, () => desk.decide("review", { ...send, payloadHash })));
	expect(decided.filter(({ applied }) => applied)).toHaveLength(1);
	expect(await desk.settled(planId)).toMatchObject({ status: "completed" });
	expect((await ofPlan(planId)).map(({ text }) => text)).toEqual(["as it is"]);
});

it("[T2-48] has nothing to send where there is no valid message", async () => {
	const occurrence = await held();
	const { occurrenceId, revision } = occurrence;
	const actionId = first(occurrence);
	expect((await refused(desk.preview({ occurrenceId, actionId }))).data.code).toBe("NOTHING_TO_SEND");
	const payloadHash = "0".repeat(64);
	const refusal = await refused(desk.call("review", { occurrenceId, actionId, revision, decision: "send", payloadHash }));
	expect(refusal).toMatchObject({ code: -32009, data: { code: "NOTHING_TO_SEND" } });
});

it("discards for good, and does the work again if asked", async () => {
	const discarded = await held();
	const { occurrenceId, revision, planId } = discarded;
	const { occurrence } = await desk.decide("review", { occurrenceId, revision, decision: "discard" });
	expect(occurrence).toMatchObject({ status: "failed", delivery: [{ status: "failed", code: "DISCARDED" }] });
	expect((await refused(desk.call("resend", { occurrenceId, actionIds: [first(discarded)], requestId: "r" }))).data.code).toBe(
		"NOTHING_TO_SEND",
	);

	const again = await held();
	const decided = await desk.decide("review", { occurrenceId: again.occurrenceId, revision: again.revision, decision: "rerun" });
	expect(decided).toMatchObject({ applied: true, occurrence: { status: "running" } });
	const after = await desk.until(
		again.planId,
		"a second run",
		({ occurrence: one }) => one?.runs.length === 2 && one.status === "needs_review",
	);
	expect((await desk.runs(after.threadId)).map(({ turnId }) => turnId).sort()).toEqual([
		`${again.occurrenceId}-1`,
		`${again.occurrenceId}-2`,
	]);
	expect(await ofPlan(planId)).toEqual([]);
	expect(await ofPlan(again.planId)).toEqual([]);
});

it("lets one message of several be decided about at a time", async () => {
	const delivery = [{ channel: "dashboard" }, { channel: "dashboard" }];
	const occurrence = await held({ delivery });
	const { occurrenceId, planId } = occurrence;
	const [one, two] = occurrence.delivery.map(({ actionId }) => actionId);
	const both = { occurrenceId, revision: occurrence.revision, decision: "edit", content: "Both", payloadHash: "0".repeat(64) };
	expect((await refused(desk.call("review", both))).data.code).toBe("INVALID_PARAMS");
	const preview = await desk.preview({ occurrenceId, actionId: one ?? "", content: "First" });
	const edit = {
		occurrenceId,
		actionId: one,
		revision: occurrence.revision,
		decision: "edit",
		content: "First",
		payloadHash: preview.payloadHash,
	};
	expect(await desk.decide("review", edit)).toMatchObject({ applied: true });
	const left = await desk.until(planId, "the first message", ({ delivery: now }) => now[0]?.status === "completed");
	expect(left).toMatchObject({ status: "needs_review", needsReview: 1 });
	const now = Occurrence.parse(left.occurrence);
	const discard = { occurrenceId, actionId: two, decision: "discard" };
	// As it was before the first was decided about.
	expect(await desk.decide("review", { ...discard, revision: occurrence.revision })).toMatchObject({ applied: false });
	await desk.decide("review", { ...discard, revision: now.revision });
	expect(await desk.settled(planId)).toMatchObject({ status: "failed", code: "DELIVERY_PARTIAL" });
	expect((await ofPlan(planId)).map(({ text }) => text)).toEqual(["First"]);
});

it("[T2-67] sends again only what did not arrive, unless a duplicate is asked for", async () => {
	const plan = await desk.create({ delivery: [{ channel: "dashboard", content: "once" }] });
	const done = await desk.settled(plan.planId);
	const { occurrenceId } = done;
	const actionIds = [first(done)];
	const refusal = await refused(desk.call("resend", { occurrenceId, actionIds, requestId: "again" }));
	expect(refusal).toMatchObject({ code: -32009, data: { code: "NOTHING_TO_SEND" } });
	expect((await ofPlan(plan.planId)).length).toBe(1);
	const duplicate = { occurrenceId, actionIds, requestId: "twice", allowDuplicate: true };
	const made = await Promise.all(Array.from({ length: 3 }, () => desk.call("resend", duplicate)));
	const ids = new Set(made.map((one) => Occurrence.parse(one).occurrenceId));
	expect([...ids]).toEqual([`${plan.planId}-2`]);
	expect(await desk.settled(plan.planId, 2)).toMatchObject({ kind: "resend", resends: occurrenceId, status: "completed" });
	expect((await ofPlan(plan.planId)).map(({ text }) => text)).toEqual(["once", "once"]);

	const cancelled = await missed("later");
	await desk.call("cancel", { planId: cancelled.planId });
	const again = { occurrenceId: cancelled.occurrenceId, actionIds: [first(cancelled)] };
	await desk.call("resend", { ...again, requestId: "one" });
	expect(await desk.settled(cancelled.planId, 2)).toMatchObject({ status: "completed" });
	expect((await refused(desk.call("resend", { ...again, requestId: "two" }))).message).toMatch(/already been resent/);
	expect((await ofPlan(cancelled.planId)).map(({ text }) => text)).toEqual(["later"]);
});

it("previews any text without making anything of it, and refuses unknown messages", async () => {
	const preview = await desk.client.rpc("xworkmate.plans.preview", { channel: "dashboard", content: "Hello", title: "T" });
	expect(preview).toMatchObject({ parts: [{ text: expect.stringContaining("Hello") }], lint: [] });
	const unknown = { occurrenceId: "plan-nothing-1", actionId: "plan-nothing-1-1" };
	expect((await refused(desk.preview(unknown))).data.code).toBe("NOT_FOUND");
	expect((await refused(desk.call("review", { ...unknown, revision: 1, decision: "discard" }))).data.code).toBe("NOT_FOUND");
	expect((await refused(desk.call("settle", { ...unknown, revision: 1, outcome: "sent" }))).data.code).toBe("NOT_FOUND");
	expect((await bridge.client().http({ path: "/actions/plan-nothing-1-1/payload" })).status).toBe(404);
	expect((await bridge.client().http({ path: "/occurrences/..%2F..%2Ftoken/deliverable" })).status).toBe(404);
});

it("settles only what is not known", async () => {
	const plan = await desk.create({ delivery: [{ channel: "dashboard", content: "known" }] });
	const done = await desk.settled(plan.planId);
	const outcome = { occurrenceId: done.occurrenceId, actionId: first(done), revision: done.revision, outcome: "not_sent" };
	expect(await desk.decide("settle", outcome)).toMatchObject({ applied: false, occurrence: { delivery: [{ status: "completed" }] } });
});
