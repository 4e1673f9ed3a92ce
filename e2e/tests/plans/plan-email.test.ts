import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import type { Occurrence, Plan } from "../../support/plans/plan-wire.ts";
import { jonas, mailAction, mailText, setUpEmail } from "../../support/plans/set-up-email.ts";
import { type FakeSmtp, type MailFault, startFakeSmtp } from "../../support/services/smtp-server.ts";

const OWNER = "mira@mail.example";
const bali = "Research the best beaches in Bali for families";
const refusal = "Write what nobody should read";
const workLog = "I looked at twelve beaches, step 1 of 3.";
const deliverable = "# Beaches\n\n- **Sanur**: calm and shallow.\n- Nusa Dua: clean.";
const stories = {
	[bali]: `UNRULY:SAY ${workLog}\n\n<deliverable>\n${deliverable}\n</deliverable>`,
	[refusal]: "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>",
};
const unruly = { executionTarget: "agent", providerId: "unruly" };

let home: TemporaryHome;
let model: FakeModel;
let smtp: FakeSmtp;
let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	home = await temporaryHome();
	model = await startFakeModel();
	smtp = await startFakeSmtp();
	const file = join(home.path, "stories.json");
	await writeFile(file, JSON.stringify(stories));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: file })]);
	bridge = await startBridge({ home, env: { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url } });
	desk = new PlanDesk(bridge.client());
	await setUpEmail(desk.client, smtp);
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await smtp[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/** The mails of a plan, of all its occurrences. */
async function mailsOf({ planId }: Pick<Plan, "planId">) {
	return (await smtp.mails()).filter((mail) => mailAction(mail).startsWith(`${planId}-`));
}

function mailed(content: string, terms: Record<string, unknown> = {}): Promise<Plan> {
	return desk.create({ title: "Reminder", delivery: [{ channel: "email", content }], ...terms });
}

/** A plan whose mail stopped where the fault is. The fault is over then. */
async function stoppedAt(fault: MailFault, content: string, terms: Record<string, unknown> = {}): Promise<Plan> {
	const faults = async () => (await smtp.journal()).filter(({ event }) => event === "fault").length;
	const before = await faults();
	await smtp.fail(fault);
	const plan = await mailed(content, terms);
	await expect.poll(faults, { timeout: 20_000 }).toBe(before + 1);
	return plan;
}

async function killed(): Promise<void> {
	await bridge.restart("SIGKILL");
	desk = new PlanDesk(bridge.client());
}

/** What a person who looked says about the one message whose outcome is not known. */
async function settle({ occurrenceId, revision, delivery }: Occurrence, outcome: "sent" | "not_sent"): Promise<Occurrence> {
	const { occurrence, applied } = await desk.decide("settle", { occurrenceId, actionId: delivery[0]?.actionId, revision, outcome });
	expect(applied).toBe(true);
	return occurrence;
}

function resend({ occurrenceId, delivery }: Occurrence): Promise<unknown> {
	return desk.call("resend", { occurrenceId, actionIds: [delivery[0]?.actionId], requestId: "again" });
}

it("[T2-12][T2-50][T2-57][T2-85] sends a given text when it is due, as one mail with exactly these bytes, and asks no agent and no model", async () => {
	const content = "Don't forget to call mom: 17:30, Grüße 家\n.and this line begins with a dot";
	const scheduledFor = new Date(Date.now() + 1_500).toISOString();
	const plan = await mailed(content, { type: "scheduled", scheduledFor });
	expect(await mailsOf(plan)).toEqual([]);
	const occurrence = await desk.settled(plan.planId);
	expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(scheduledFor));
	expect(occurrence).toMatchObject({
		status: "completed",
		dueAt: scheduledFor,
		runs: [],
		delivery: [{ status: "completed", attempts: 1 }],
	});
	const [mail, ...others] = await mailsOf(plan);
	expect(others).toEqual([]);
	expect(mail).toMatchObject({ from: OWNER, to: [OWNER], read: { subject: "Reminder" } });
	expect(mail && mailText(mail)).toBe(content);
	expect(mail?.read.messageId).toBe(occurrence.delivery[0]?.providerMessageId);
	expect(mail && mailAction(mail)).toBe(occurrence.delivery[0]?.actionId);
	const payload = await bridge.client().http({ path: `/actions/${plan.planId}-1-1/payload` });
	expect(mail?.bytes.equals(payload.body)).toBe(true);
	expect(await desk.runs(plan.threadId)).toEqual([]);
	expect(await model.requests()).toEqual([]);
	// Where work is to be done, this same bridge does ask the model.
	const routing = { executionTarget: "agent", providerId: "assistant" };
	const asking = await desk.create({ title: "Asks", instructions: 'FAKE:ANSWER [{ "text": "Hello" }]', delivery: [], routing });
	await desk.settled(asking.planId);
	expect((await model.requests()).length).toBeGreaterThan(0);
});

it("[T2-02][T2-07][T2-21][T2-51][T2-59] researches, and mails the clean result alone to whom it was asked for", async () => {
	const delivery = [
		{ channel: "email", recipient: jonas.contactId, subject: "Bali" },
		{ channel: "email", content: "A text of its own", subject: "Hello" },
	];
	const plan = await desk.create({ title: "A family trip", instructions: bali, work: [{ description: bali }], delivery, routing: unruly });
	expect(plan).toMatchObject({ planId: expect.any(String), title: "A family trip", status: expect.any(String), instructions: bali });
	const occurrence = await desk.settled(plan.planId);
	expect(occurrence).toMatchObject({ status: "completed", work: [{ status: "completed" }], deliverable: { text: deliverable } });
	const mails = await mailsOf(plan);
	const texts = mails.map((mail) => [mail.to, mailText(mail)]);
	expect(texts).toHaveLength(2);
	expect(texts).toEqual(
		expect.arrayContaining([
			[[jonas.address], deliverable],
			[[OWNER], "A text of its own"],
		]),
	);
	for (const { read, bytes } of mails) {
		const all = [bytes.toString("utf8"), read.text, read.html, JSON.stringify(read.headers)].join("\n");
		for (const inner of ["twelve beaches", "step 1", "deliverable", bali, plan.title]) expect(all).not.toContain(inner);
	}
	const [run] = await desk.runs(plan.threadId);
	const input = await desk.client.rpc("xworkmate.tasks.input", { runId: run?.runId });
	expect(input).toMatchObject({ prompt: expect.stringContaining("Your deliverable will be sent via email.") });
	expect(await desk.client.snapshot({ runId: run?.runId ?? "" })).toMatchObject({ output: { text: expect.stringContaining(workLog) } });
});

it("[T2-19][T2-66] mails no refusal: the message waits for a person", async () => {
	const connections = (await smtp.journal()).filter(({ event }) => event === "connect").length;
	const plan = await desk.create({ instructions: refusal, delivery: [{ channel: "email" }], routing: unruly });
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "needs_review",
		gate: { valid: false, reason: "declined" },
		delivery: [{ status: "needs_review", code: "GATE_DECLINED", attempts: 0 }],
	});
	expect(await desk.get(plan.planId)).toMatchObject({ status: "needs_review", needsReview: 1 });
	expect((await smtp.journal()).filter(({ event }) => event === "connect")).toHaveLength(connections);
});

it("[T2-67] sends nothing again by itself where the server was cut off after the last byte, and once more when a person says so", async () => {
	const plan = await stoppedAt({ stage: "dot", kind: "cut" }, "Cut off before it was taken");
	const unknown = await desk.settled(plan.planId);
	expect(unknown).toMatchObject({ status: "needs_review", delivery: [{ status: "unknown", code: "NO_ANSWER", attempts: 1 }] });
	await killed();
	expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "unknown", attempts: 1 }] });
	expect(await mailsOf(plan)).toEqual([]);
	await resend(await settle(unknown, "not_sent"));
	expect(await desk.settled(plan.planId, 2)).toMatchObject({ status: "completed", resends: unknown.occurrenceId });
	expect((await mailsOf(plan)).map(mailText)).toEqual(["Cut off before it was taken"]);
});

it("[T2-67] sends nothing again where the server took the mail and its answer was lost", async () => {
	const plan = await stoppedAt({ stage: "stored", kind: "cut" }, "Cut off after it was taken");
	const unknown = await desk.settled(plan.planId);
	expect(unknown).toMatchObject({ delivery: [{ status: "unknown", code: "NO_ANSWER" }] });
	expect(await settle(unknown, "sent")).toMatchObject({
		status: "completed",
		delivery: [{ status: "completed", settledBy: expect.any(String) }],
	});
	await expect(resend(unknown)).rejects.toThrow();
	expect(await mailsOf(plan)).toHaveLength(1);
});

it("[T2-58][T2-67] a bridge that is killed with a mail in its hands, of which the server has no byte, sends that alone, once, when it is back", async () => {
	const content = "Killed while it was claimed";
	const plan = await stoppedAt({ stage: "rcpt", kind: "hang" }, content, {
		delivery: [
			{ channel: "dashboard", content },
			{ channel: "email", content },
		],
	});
	await desk.until(plan.planId, "the row of the inbox", ({ delivery }) => delivery[0]?.status === "completed");
	expect(await desk.get(plan.planId)).toMatchObject({ delivery: [{}, { status: "sending", stage: "claimed" }] });
	await killed();
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "completed",
		delivery: [
			{ status: "completed", attempts: 1 },
			{ status: "completed", attempts: 2 },
		],
	});
	expect((await mailsOf(plan)).map(mailText)).toEqual([content]);
	expect((await desk.inbox()).filter(({ planId }) => planId === plan.planId)).toHaveLength(1);
});

it.each([
	{ where: "before the server took it", stage: "dot", taken: 0 },
	{ where: "after the server took it, before that was written down", stage: "stored", taken: 1 },
] as const)(
	"[T2-67] a bridge that is killed while it hands a mail over, $where, leaves it to a person",
	async ({ where, stage, taken }) => {
		const plan = await stoppedAt({ stage, kind: "hang" }, where);
		expect(await desk.get(plan.planId)).toMatchObject({ delivery: [{ status: "sending", stage: "handing_over" }] });
		await killed();
		const unknown = await desk.settled(plan.planId);
		expect(unknown).toMatchObject({ status: "needs_review", delivery: [{ status: "unknown", code: "BRIDGE_RESTARTED", attempts: 1 }] });
		expect(await mailsOf(plan)).toHaveLength(taken);
		const settled = await settle(unknown, taken === 1 ? "sent" : "not_sent");
		if (taken === 0) {
			await resend(settled);
			await desk.settled(plan.planId, 2);
		}
		expect((await mailsOf(plan)).map(mailText)).toEqual([where]);
	},
);

it("[T2-67] has sent no action twice in all of this, and nothing is left to send", async () => {
	await killed();
	const ids = (await smtp.mails()).map(mailAction);
	expect(ids.length).toBeGreaterThanOrEqual(8);
	expect(new Set(ids).size).toBe(ids.length);
	expect((await smtp.journal()).filter(({ event }) => event === "accepted")).toHaveLength(ids.length);
});
