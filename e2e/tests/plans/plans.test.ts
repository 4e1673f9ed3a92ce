import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { settleAgain } from "../../support/bridge/settle.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { refused } from "../../support/wire/refused.ts";

let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	bridge = await startBridge();
	desk = new PlanDesk(bridge.client());
});
afterAll(() => bridge[Symbol.asyncDispose]());

const ofPlan = async (planId: string) => (await desk.inbox()).filter((row) => row.planId === planId);

it("[T2-16][T2-22][T2-57] sends given content as it is, once, and asks nobody", async () => {
	const content = "Don't forget to call mom";
	const plan = await desk.create({ title: "Reminder", delivery: [{ channel: "dashboard", content }] });
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "completed",
		runs: [],
		delivery: [{ status: "completed", attempts: 1 }],
	});
	expect(await ofPlan(plan.planId)).toMatchObject([{ title: "Reminder", text: content }]);
	expect(await desk.runs(plan.threadId)).toEqual([]);
	const bytes = await bridge.client().http({ path: `/actions/${plan.planId}-1-1/payload` });
	expect(bytes.status).toBe(200);
	expect(bytes.body.toString("utf8")).toContain(content);
});

it("[T2-01][T2-11][T2-54] runs the work and delivers what its program returns, and nothing that it prints", async () => {
	const program = "console.log('thinking about beaches'); return 'Sanur and Nusa Dua'";
	const plan = await desk.script(program, { work: [{ description: "Research best beaches in Bali for families" }] });
	const occurrence = await desk.settled(plan.planId);
	expect(occurrence).toMatchObject({
		status: "completed",
		gate: { valid: true },
		deliverable: { text: "Sanur and Nusa Dua", source: "model", sha256: sha256("Sanur and Nusa Dua") },
		work: [{ status: "completed" }],
		delivery: [{ status: "completed" }],
	});
	expect(await ofPlan(plan.planId)).toMatchObject([{ text: "Sanur and Nusa Dua" }]);
	const [run, ...others] = await desk.runs(plan.threadId);
	expect(others).toEqual([]);
	expect(run).toMatchObject({ turnId: `${plan.planId}-1-1`, status: "completed" });
	const deliverable = await bridge.client().http({ path: `/occurrences/${occurrence.occurrenceId}/deliverable` });
	expect(deliverable.body.toString("utf8")).toBe("Sanur and Nusa Dua");
});

it("[T2-04] sends nothing for words in prose that tell of sending", async () => {
	const said = "Open WhatsApp, then send this via WhatsApp and to the inbox";
	const plan = await desk.script(`// ${said}\nconsole.log(${JSON.stringify(said)}); return ${JSON.stringify(said)}`, { delivery: [] });
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed", delivery: [] });
	expect(await ofPlan(plan.planId)).toEqual([]);
});

it.each([
	{ what: "NONE", returns: "'NONE'", code: "GATE_DECLINED", reason: "declined" },
	{ what: "None, with a full stop", returns: "'None.'", code: "GATE_DECLINED", reason: "declined" },
	{ what: "an empty text", returns: "'  '", code: "GATE_EMPTY", reason: "empty" },
	{
		what: "tags in the middle of a text",
		returns: "'x\\n<deliverable>\\nHello\\n</deliverable>\\ny'",
		code: "GATE_MALFORMED",
		reason: "malformed",
	},
])("[T2-19][T2-47][T2-48][T2-88] holds $what, and sends nothing", async ({ returns, code, reason }) => {
	const plan = await desk.script(`console.log('I would rather not say'); return ${returns}`);
	const occurrence = await desk.settled(plan.planId);
	expect(occurrence).toMatchObject({
		status: "needs_review",
		gate: { valid: false, reason },
		delivery: [{ status: "needs_review", code, attempts: 0 }],
	});
	expect(occurrence.deliverable).toBeUndefined();
	expect(await desk.get(plan.planId)).toMatchObject({ status: "needs_review", needsReview: 1 });
	expect(await ofPlan(plan.planId)).toEqual([]);
});

it("[T2-09][T2-41] does not take for a message what a program only printed", async () => {
	const plan = await desk.script("console.log('a long working section')");
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "needs_review", delivery: [{ status: "needs_review" }] });
	expect(await ofPlan(plan.planId)).toEqual([]);
	const result = (await desk.updates(plan.planId)).find(({ update }) => update.kind === "task:result");
	expect(result?.update).toMatchObject({ output: "a long working section\n" });
});

it("[T2-13] sends nothing when the work fails, and says so", async () => {
	const plan = await desk.script("throw new Error('no connection')");
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "failed",
		code: "WORK_FAILED",
		work: [{ status: "failed" }],
		runs: [{ status: "failed", code: "SCRIPT_ERROR" }],
		delivery: [{ status: "failed", code: "WORK_FAILED" }],
	});
	expect(await desk.get(plan.planId)).toMatchObject({ status: "failed" });
	expect(await ofPlan(plan.planId)).toEqual([]);
});

it("[T2-04][T2-62][T2-63][T2-64] takes no list of steps in the instructions for work or for a message to send", async () => {
	const program = "/*\n## Steps\n- [ ] Research beaches\n- [ ] Send the result to the dashboard\n*/ return 'done'";
	const plan = await desk.script(program, { work: [], delivery: [] });
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed", work: [], delivery: [] });
	expect(await desk.runs(plan.threadId)).toHaveLength(1);
	expect(await ofPlan(plan.planId)).toEqual([]);
});

it("[T2-22][T2-39][T2-42] works without a delivery, and asks for no message", async () => {
	const plan = await desk.script("return 'tidied'", { delivery: [] });
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed", delivery: [] });
	expect(await ofPlan(plan.planId)).toEqual([]);
});

it("[T2-54][T2-60] sends each action its own content, else the deliverable, in order", async () => {
	const delivery = [{ channel: "dashboard" }, { channel: "dashboard", content: "given" }];
	const plan = await desk.script("return 'made'", { delivery });
	expect((await desk.settled(plan.planId)).delivery).toMatchObject([{ status: "completed" }, { status: "completed" }]);
	expect((await ofPlan(plan.planId)).map(({ text }) => text)).toEqual(["given", "made"]);
});

it("[T2-06][T2-55][T2-73][T2-74][T2-75] tells of everything in the plan's log, gapless, with the whole output", async () => {
	const plan = await desk.script("console.log('research'); return 'message'");
	await desk.settled(plan.planId);
	const updates = await desk.updates(plan.planId);
	expect(updates.map(({ seq }) => seq)).toEqual(updates.map((_, index) => index + 1));
	const kinds = updates.map(({ update }) => update.kind);
	expect(kinds[0]).toBe("task:created");
	expect(kinds).toContain("task:result");
	expect(kinds.slice(-2)).toEqual(["task:delivery_complete", "receipt"]);
	expect(updates.at(-1)?.update).toMatchObject({ receipt: { type: "delivery.succeeded" } });
	expect(updates[0]?.update).toMatchObject({
		plan: { work: [{ description: "Do it", status: "pending" }], delivery: [{ channel: "dashboard" }] },
	});
});

it("does not begin anew what was asked for twice, and refuses other details under the same request", async () => {
	const terms = { requestId: "once", title: "Once", delivery: [{ channel: "dashboard", content: "one" }] };
	const plans = await Promise.all(Array.from({ length: 10 }, () => desk.create(terms)));
	const [first] = plans;
	expect(new Set(plans.map(({ planId }) => planId)).size).toBe(1);
	await desk.settled(first?.planId ?? "");
	expect((await ofPlan(first?.planId ?? "")).length).toBe(1);
	const refusal = await refused(desk.create({ ...terms, title: "Twice" }));
	expect(refusal).toMatchObject({ code: -32009, data: { code: "PLAN_CONFLICT" } });
});

it("runs a plan by hand once for each request, beside its schedule", async () => {
	const plan = await desk.create({ type: "recurring", cron: "0 3 1 1 *", delivery: [{ channel: "dashboard", content: "by hand" }] });
	expect(plan).toMatchObject({ status: "pending" });
	const runs = await Promise.all(Array.from({ length: 5 }, () => desk.run(plan.planId, "press")));
	expect(new Set(runs.map(({ occurrenceId }) => occurrenceId)).size).toBe(1);
	expect(await desk.settled(plan.planId)).toMatchObject({ kind: "manual", status: "completed" });
	expect((await ofPlan(plan.planId)).length).toBe(1);
	expect(await desk.get(plan.planId)).toMatchObject({ status: "pending", nextDueAt: plan.nextDueAt });
});

it("comes due at its time, and not while it is paused", async () => {
	const scheduledFor = new Date(Date.now() + 1_500).toISOString();
	const terms = { type: "scheduled", scheduledFor, delivery: [{ channel: "dashboard", content: "in time" }] };
	const paused = await desk.create(terms);
	expect(await desk.call("pause", { planId: paused.planId })).toMatchObject({ status: "paused" });
	const plan = await desk.create(terms);
	expect(await ofPlan(plan.planId)).toEqual([]);
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed", dueAt: scheduledFor, kind: "scheduled" });
	expect(await desk.get(plan.planId)).toMatchObject({ status: "completed" });
	expect(await ofPlan(paused.planId)).toEqual([]);
	// Its one time has passed meanwhile: whether it is still wanted, a person says.
	expect(await desk.call("resume", { planId: paused.planId })).toMatchObject({ status: "needs_review" });
	expect(await desk.settled(paused.planId)).toMatchObject({ code: "MISSED", delivery: [{ status: "needs_review", code: "MISSED" }] });
	expect(await ofPlan(paused.planId)).toEqual([]);
});

it("cancels the run and what is pending of it, and sends nothing afterwards", async () => {
	const plan = await desk.script("console.log('begun'); await tools.time.wait({ms: 60000}); return 'too late'");
	const running = await desk.until(plan.planId, "a run", ({ occurrence }) => occurrence?.runs[0]?.runId !== undefined);
	await desk.call("cancel", { planId: plan.planId });
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "cancelled", delivery: [{ status: "failed", code: "CANCELLED" }] });
	const runId = running.occurrence?.runs[0]?.runId ?? "";
	expect((await settleAgain(bridge.client(), runId)).snapshot.status).toBe("cancelled");
	expect(await ofPlan(plan.planId)).toEqual([]);
});

it("ends a deleted plan, keeps its record, and does nothing more for it", async () => {
	const plan = await desk.script("await tools.time.wait({ms: 60000}); return 'too late'");
	await desk.until(plan.planId, "a run", ({ occurrence }) => occurrence?.runs[0]?.runId !== undefined);
	expect(await desk.call("delete", { planId: plan.planId })).toMatchObject({ status: "deleted" });
	expect(await desk.get(plan.planId)).toMatchObject({ status: "deleted", occurrence: { status: "cancelled" } });
	expect((await refused(desk.run(plan.planId))).data.code).toBe("NOT_FOUND");
	expect((await refused(desk.call("resume", { planId: plan.planId }))).data.code).toBe("NOT_FOUND");
	expect(await desk.call("list", {})).not.toMatchObject({
		items: expect.arrayContaining([expect.objectContaining({ planId: plan.planId })]),
	});
	expect(await desk.call("list", { status: "deleted" })).toMatchObject({
		items: expect.arrayContaining([expect.objectContaining({ planId: plan.planId })]),
	});
});

it("keeps the thread of a plan that is not over, and lets it go with the plan", async () => {
	const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
	const plan = await desk.create({ type: "scheduled", scheduledFor, delivery: [{ channel: "dashboard", content: "later" }] });
	const remove = () => desk.client.rpc("xworkmate.threads.delete", { threadId: plan.threadId });
	const refusal = await refused(remove());
	expect(refusal).toMatchObject({ data: { code: "THREAD_BUSY", fix: expect.stringContaining("Delete the plan first") } });
	await desk.client.rpc("xworkmate.plans.delete", { planId: plan.planId });
	await expect(remove()).resolves.toMatchObject({ deletedRuns: 0 });
	const over = await desk.create({ delivery: [{ channel: "dashboard", content: "over" }] });
	await desk.settled(over.planId);
	await expect(desk.client.rpc("xworkmate.threads.delete", { threadId: over.threadId })).resolves.toMatchObject({ deletedRuns: 0 });
});

it("changes what is not yet due, by its revision", async () => {
	const plan = await desk.create({ type: "recurring", cron: "0 9 * * *", delivery: [{ channel: "dashboard", content: "old" }] });
	const change = { title: "New", delivery: [{ channel: "dashboard", content: "new" }], cron: "30 10 * * *" };
	const changed = await desk.call("update", { planId: plan.planId, revision: plan.revision, change });
	expect(changed).toMatchObject({ title: "New", revision: plan.revision + 1, nextDueAt: expect.stringMatching(/T10:30:00.000Z$/) });
	const late = await refused(desk.call("update", { planId: plan.planId, revision: plan.revision, change: { title: "Lost" } }));
	expect(late).toMatchObject({ code: -32009, data: { code: "REVISION_CONFLICT" } });
	await desk.run(plan.planId);
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed" });
	expect(await ofPlan(plan.planId)).toMatchObject([{ title: "New", text: "new" }]);
});

const given = { channel: "dashboard", content: "text" };

it.each([
	{ what: "steps", terms: { steps: [{ description: "send" }] }, code: "INVALID_PARAMS", says: /steps/ },
	{ what: "a current step", terms: { currentStep: 1 }, code: "INVALID_PARAMS", says: /currentStep/ },
	{
		what: "nothing to do",
		terms: { delivery: [{ channel: "dashboard" }] },
		code: "INVALID_PARAMS",
		says: /no instructions or work, and at least one delivery has no content/,
	},
	{
		what: "neither work nor delivery",
		terms: { delivery: [] },
		code: "INVALID_PARAMS",
		says: /no instructions, no work and no deliveries/,
	},
	{ what: "an unknown channel", terms: { delivery: [{ channel: "fax" }] }, code: "INVALID_PARAMS", says: /channel/ },
	{ what: "an unknown recipient", terms: { delivery: [{ ...given, recipient: "nobody" }] }, code: "RECIPIENT_UNKNOWN", says: /./ },
	{ what: "an empty content", terms: { delivery: [{ channel: "dashboard", content: " \n" }] }, code: "CONTENT_INVALID", says: /empty/ },
	{
		what: "half a character",
		terms: { delivery: [{ channel: "dashboard", content: "\ud800" }] },
		code: "INVALID_PARAMS",
		says: /half a character/,
	},
	{ what: "a subject of two lines", terms: { delivery: [{ ...given, subject: "a\nBcc: x" }] }, code: "INVALID_PARAMS", says: /subject/ },
	{ what: "no time", terms: { type: "scheduled" }, code: "SCHEDULE_INVALID", says: /./ },
	{ what: "a past time", terms: { type: "scheduled", scheduledFor: "2020-01-01T00:00:00.000Z" }, code: "SCHEDULE_INVALID", says: /./ },
	{ what: "seconds in cron", terms: { type: "recurring", cron: "* * * * * *" }, code: "SCHEDULE_INVALID", says: /five fields/ },
	{
		what: "a zone of no country",
		terms: { type: "recurring", cron: "0 9 * * *", timezone: "Moon/Base" },
		code: "SCHEDULE_INVALID",
		says: /zone/,
	},
	{
		what: "an agent that is not there",
		terms: { instructions: "Do it", delivery: [], routing: { executionTarget: "agent", providerId: "nobody" } },
		code: "PROVIDER_NOT_FOUND",
		says: /nobody/,
	},
	{
		what: "a program without a program",
		terms: { work: [{ description: "Do it" }], delivery: [], routing: { executionTarget: "agent", providerId: "script" } },
		code: "INVALID_PARAMS",
		says: /Script runs the instructions/,
	},
])("[T2-23] [T2-24] refuses $what, with a fix, and makes nothing", async ({ terms, code, says }) => {
	const before = await desk.call("list", { limit: 1 });
	const refusal = await refused(desk.create({ delivery: [given], ...terms }));
	expect(refusal.data.code).toBe(code);
	expect(refusal.message).toMatch(says);
	expect(refusal.data.fix).not.toBe("");
	expect(await desk.call("list", { limit: 1 })).toEqual(before);
});

it("has no more plans than may be", async () => {
	await using small = await startBridge({ env: { XWORKMATE_MAX_PLANS: "1" } });
	const few = new PlanDesk(small.client());
	const plan = await few.create({ type: "recurring", cron: "@daily", delivery: [given] });
	expect(await refused(few.create({ delivery: [given] }))).toMatchObject({ code: -32010, data: { code: "PLAN_LIMIT" } });
	await few.call("delete", { planId: plan.planId });
	await few.settled((await few.create({ delivery: [given] })).planId);
});

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
