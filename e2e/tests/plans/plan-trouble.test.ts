import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import type { Occurrence, Plan } from "../../support/plans/plan-wire.ts";
import { jonas, mailAction, mailText, setUpEmail } from "../../support/plans/set-up-email.ts";
import { type FakeSmtp, type MailFault, startFakeSmtp } from "../../support/services/smtp-server.ts";
import { refused } from "../../support/wire/refused.ts";

let home: TemporaryHome;
let smtp: FakeSmtp;
let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	home = await temporaryHome();
	const stories = join(home.path, "stories.json");
	await writeFile(stories, JSON.stringify({ "Say it all": `UNRULY:SAY <deliverable>\n${"x".repeat(5 * 1024 * 1024)}\n</deliverable>` }));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: stories })]);
	smtp = await startFakeSmtp();
	bridge = await startBridge({ home, env: { XWORKMATE_SEND_TIMEOUT_MS: "3000" } });
	desk = new PlanDesk(bridge.client());
	await setUpEmail(desk.client, smtp);
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await smtp[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const email = (content: string, recipient?: string) => [{ channel: "email", content, ...(recipient === undefined ? {} : { recipient }) }];
const first = ({ delivery }: Pick<Occurrence, "delivery">) => delivery[0]?.actionId ?? "";

async function mailsOf({ planId }: Pick<Plan, "planId">) {
	return (await smtp.mails()).filter((mail) => mailAction(mail).startsWith(`${planId}-`));
}

/** Sends a held message as it is previewed now. */
async function send(occurrence: Occurrence): Promise<void> {
	const action = { occurrenceId: occurrence.occurrenceId, actionId: first(occurrence) };
	const { payloadHash } = await desk.preview(action);
	const { applied } = await desk.decide("review", { ...action, revision: occurrence.revision, decision: "send", payloadHash });
	expect(applied).toBe(true);
}

it("holds an answer of five megabytes, and refuses a given text of that size where it can't be shown", { timeout: 60_000 }, async () => {
	const text = "x".repeat(5 * 1024 * 1024);
	const program = await desk.script("return 'x'.repeat(5 * 1024 * 1024)", { delivery: [{ channel: "email" }] });
	expect(await desk.settled(program.planId)).toMatchObject({ status: "failed", delivery: [{ code: "WORK_FAILED", attempts: 0 }] });
	const routing = { executionTarget: "agent", providerId: "unruly" };
	const plan = await desk.create({ instructions: "Say it all", delivery: [{ channel: "email" }], routing });
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "needs_review",
		gate: { valid: false, reason: "too_large" },
		delivery: [{ status: "needs_review", code: "GATE_TOO_LARGE", attempts: 0 }],
	});
	const refusal = await refused(desk.create({ delivery: [{ channel: "dashboard", content: text }] }));
	expect(refusal).toMatchObject({
		message: expect.stringContaining("larger than 1 MB"),
		data: { code: "CONTENT_INVALID", fix: expect.any(String) },
	});
	expect(await mailsOf(plan)).toEqual([]);
});

it("damaged settings of the channels hold what is to be sent, keep what has left from going again, and are left as they are", async () => {
	const file = join(home.xworkmate, "bridge", "channels.json");
	const whole = await readFile(file, "utf8");
	await smtp.fail({ stage: "dot", kind: "hang" });
	const leaving = await desk.create({ delivery: email("On its way", jonas.contactId) });
	await desk.until(leaving.planId, "the hand-over", ({ delivery }) => delivery[0]?.stage === "handing_over");
	const waiting = await desk.create({
		type: "scheduled",
		scheduledFor: new Date(Date.now() + 1_500).toISOString(),
		delivery: email("Waits"),
	});
	await writeFile(file, whole.slice(0, 40));
	const held = await desk.settled(waiting.planId);
	expect(held).toMatchObject({
		status: "needs_review",
		delivery: [{ code: "CHANNEL_UNAVAILABLE", attempts: 0, message: expect.stringContaining("channels.json"), fix: expect.any(String) }],
	});
	expect(await desk.settled(leaving.planId)).toMatchObject({ delivery: [{ status: "unknown", code: "NO_ANSWER", attempts: 1 }] });
	expect(await readFile(file, "utf8")).toBe(whole.slice(0, 40));
	await writeFile(file, whole);
	await send(held);
	expect(await desk.settled(waiting.planId)).toMatchObject({ status: "completed" });
	expect((await mailsOf(waiting)).map(mailText)).toEqual(["Waits"]);
	expect(await mailsOf(leaving)).toEqual([]);
});

it("sends nothing to a server whose certificate does not verify, says so, and sends it when it does", async () => {
	const { caFile: _own, ...others } = smtp.settings;
	await desk.client.rpc("xworkmate.channels.configure", { channel: "email", settings: { ...others, caFile: null }, secrets: smtp.secrets });
	const plan = await desk.create({ delivery: email("For the right server alone") });
	const held = await desk.settled(plan.planId);
	expect(held).toMatchObject({
		status: "needs_review",
		delivery: [{ status: "needs_review", code: "CHANNEL_UNAVAILABLE", message: expect.stringMatching(/certificate/i) }],
	});
	expect(await mailsOf(plan)).toEqual([]);
	await setUpEmail(desk.client, smtp);
	await send(held);
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed" });
	expect(await mailsOf(plan)).toHaveLength(1);
});

interface StateOfPlan {
	readonly state: string;
	readonly fault?: MailFault;
	readonly terms?: Record<string, unknown>;
	/** The plan is in that state. */
	readonly is: (plan: Plan) => boolean;
	/** What a cancel makes of the message. */
	readonly message: Record<string, unknown> | undefined;
}

const actionIs = (wanted: Record<string, unknown>) => (plan: Plan) =>
	Object.entries(wanted).every(([name, value]) => plan.delivery[0]?.[name] === value);
const cancelled = { status: "failed", code: "CANCELLED" };
const states: readonly StateOfPlan[] = [
	{ state: "not due yet", terms: { type: "recurring", cron: "0 3 1 1 *" }, is: ({ status }) => status === "pending", message: undefined },
	{
		state: "at work",
		terms: {
			instructions: "await tools.time.wait({ms: 60000}); return 'late'",
			routing: { executionTarget: "agent", providerId: "script" },
			delivery: [{ channel: "email" }],
		},
		is: ({ occurrence }) => occurrence?.runs[0]?.runId !== undefined,
		message: cancelled,
	},
	{ state: "claimed", fault: { stage: "rcpt", kind: "hang" }, is: actionIs({ stage: "claimed", attempts: 1 }), message: cancelled },
	{
		state: "being handed over",
		fault: { stage: "dot", kind: "hang" },
		is: actionIs({ stage: "handing_over" }),
		message: { status: "unknown", code: "NO_ANSWER" },
	},
	{
		state: "waiting for its retry",
		fault: { stage: "rcpt", kind: "answer", code: 451 },
		is: actionIs({ status: "pending", attempts: 1 }),
		message: cancelled,
	},
	{
		state: "waiting for a person",
		fault: { stage: "auth", kind: "answer", code: 535 },
		is: actionIs({ status: "needs_review" }),
		message: cancelled,
	},
	{
		state: "of unknown outcome",
		fault: { stage: "dot", kind: "cut" },
		is: actionIs({ status: "unknown" }),
		message: { status: "unknown", code: "NO_ANSWER" },
	},
	{ state: "sent", is: actionIs({ status: "completed" }), message: { status: "completed" } },
];

it.each(states.flatMap((one) => (["cancel", "delete"] as const).map((method) => ({ ...one, method }))))(
	"a plan that is $state takes a $method: nothing of it leaves afterwards, and nothing that has left is taken for unsent",
	{ timeout: 60_000 },
	async ({ state, method, fault, terms, is, message }) => {
		const faults = (journal: Awaited<ReturnType<FakeSmtp["journal"]>>) => journal.filter(({ event }) => event === "fault").length;
		const before = faults(await smtp.journal());
		if (fault !== undefined) await smtp.fail(fault);
		const plan = await desk.create({ title: `${method} ${state}`, delivery: email(`${method} while it is ${state}`), ...terms });
		// A fault that nobody met would be met by the next plan.
		if (fault !== undefined) await smtp.noted("the fault", (journal) => faults(journal) > before);
		const { delivery } = await desk.until(plan.planId, state, is);
		const sent = (await mailsOf(plan)).length;
		expect(sent).toBe(state === "sent" ? 1 : 0);
		await desk.call(method, { planId: plan.planId });
		if (message === undefined) expect(await desk.get(plan.planId)).toMatchObject({ status: method === "delete" ? "deleted" : "pending" });
		else
			await desk.until(plan.planId, "its end", (now) =>
				Object.entries(message).every(([name, value]) => now.delivery[0]?.[name] === value),
			);
		const after = await desk.get(plan.planId);
		expect(after.delivery[0]?.attempts ?? 0).toBe(delivery[0]?.attempts ?? 0);
		if (method === "delete") expect(after.status).toBe("deleted");
		// Whatever would send again does so when the bridge starts anew.
		await bridge.restart("SIGKILL");
		desk = new PlanDesk(bridge.client());
		expect((await desk.get(plan.planId)).delivery[0]?.attempts ?? 0).toBe(delivery[0]?.attempts ?? 0);
		expect(await mailsOf(plan)).toHaveLength(sent);
	},
);

/** A message that waits for a person. */
async function held(content: string): Promise<Occurrence> {
	await smtp.fail({ stage: "auth", kind: "answer", code: 535 });
	const plan = await desk.create({ delivery: email(content) });
	const occurrence = await desk.settled(plan.planId);
	expect(occurrence).toMatchObject({ delivery: [{ status: "needs_review", code: "CHANNEL_AUTH" }] });
	return occurrence;
}

it("of two surfaces that decide at once one does, and the other is shown what was decided", async () => {
	const occurrence = await held("Decided on once");
	const { planId, occurrenceId, revision } = occurrence;
	const other = new PlanDesk(bridge.client());
	const action = { occurrenceId, actionId: first(occurrence) };
	const [{ payloadHash }, edited] = await Promise.all([desk.preview(action), other.preview({ ...action, content: "In other words" })]);
	const decided = await Promise.all([
		desk.decide("review", { ...action, revision, decision: "send", payloadHash }),
		other.decide("review", { ...action, revision, decision: "edit", content: "In other words", payloadHash: edited.payloadHash }),
		desk.decide("review", { ...action, revision, decision: "discard" }),
	]);
	expect(decided.filter(({ applied }) => applied)).toHaveLength(1);
	for (const { applied, occurrence: shown } of decided) if (!applied) expect(shown.revision).toBeGreaterThan(revision);
	const { delivery } = await desk.settled(planId);
	expect(await mailsOf({ planId })).toHaveLength(delivery[0]?.status === "completed" ? 1 : 0);
});

it("what was previewed does not leave once its text or its title is another: PAYLOAD_CHANGED", async () => {
	const occurrence = await held("As it was looked at");
	const { planId, occurrenceId, revision } = occurrence;
	const action = { occurrenceId, actionId: first(occurrence) };
	const { payloadHash } = await desk.preview({ ...action, content: "Looked at" });
	const changed = { code: -32009, data: { code: "PAYLOAD_CHANGED" } };
	const edit = { ...action, revision, decision: "edit", payloadHash };
	expect(await refused(desk.call("review", { ...edit, content: "Not looked at" }))).toMatchObject(changed);
	const { revision: ofPlan } = await desk.get(planId);
	await desk.call("update", { planId, revision: ofPlan, change: { title: "Another subject" } });
	expect(await refused(desk.call("review", { ...edit, content: "Looked at" }))).toMatchObject(changed);
	expect(await mailsOf({ planId })).toEqual([]);
	const again = await desk.preview({ ...action, content: "Looked at" });
	const { applied } = await desk.decide("review", { ...edit, content: "Looked at", payloadHash: again.payloadHash });
	expect(applied).toBe(true);
	await desk.settled(planId);
	expect((await mailsOf({ planId })).map((mail) => [mail.read.subject, mailText(mail)])).toEqual([["Another subject", "Looked at"]]);
});

it("what a person says of a message that has changed since they saw it is not taken, and they are shown it", async () => {
	await smtp.fail({ stage: "dot", kind: "cut", times: 2 });
	const plan = await desk.create({ delivery: [...email("One"), ...email("Two", jonas.contactId)] });
	const { occurrenceId } = await desk.settled(plan.planId);
	const isKnown = ({ delivery }: Plan) => delivery.every(({ status }) => status === "unknown");
	const { occurrence: seen } = await desk.until(plan.planId, "both outcomes", isKnown);
	const settle = (index: number, revision = 0) =>
		desk.decide("settle", { occurrenceId, actionId: seen?.delivery[index]?.actionId, revision, outcome: "not_sent" });
	expect(await settle(0, seen?.revision)).toMatchObject({ applied: true });
	const late = await settle(1, seen?.revision);
	expect(late).toMatchObject({ applied: false, occurrence: { delivery: [{ code: "NOT_SENT" }, { status: "unknown" }] } });
	expect(await settle(1, late.occurrence.revision)).toMatchObject({ applied: true });
});
