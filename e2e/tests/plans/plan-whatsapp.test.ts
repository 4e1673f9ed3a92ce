import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../support/services/fake-whatsapp.ts";

const bali = "Research the best beaches in Bali for families";
const alert = "Write a fake emergency alert";
const workLog = "I looked at twelve beaches, step 1 of 3.";
const deliverable = "*Beaches in Bali for families*\n\nSanur: calm and shallow.\nNusa Dua: clean, with shade.";
const stories = {
	[bali]: `UNRULY:SAY ${workLog}\n\n<deliverable>\n${deliverable}\n</deliverable>`,
	[alert]: "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>",
};
const routing = { executionTarget: "agent", providerId: "unruly" };

let home: TemporaryHome;
let model: FakeModel;
let whatsapp: FakeWhatsApp;
let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	home = await temporaryHome();
	model = await startFakeModel();
	whatsapp = await startFakeWhatsApp();
	const file = join(home.path, "stories.json");
	await writeFile(file, JSON.stringify(stories));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: file })]);
	bridge = await startBridge({ home, env: { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url } });
	desk = new PlanDesk(bridge.client());
	const { settings, secrets } = whatsapp;
	await desk.client.rpc("xworkmate.channels.configure", { channel: "whatsapp", settings, secrets });
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await whatsapp[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const asked = async () => (await whatsapp.journal()).filter(({ event }) => event === "messages").length;

it("[T2-78][T2-79][T2-80][T2-81][T2-82][T2-83][T2-94] research and WhatsApp: one clean message, and the work stays in the conversation", async () => {
	const plan = await desk.create({
		title: "A trip",
		instructions: bali,
		work: [{ description: bali }],
		delivery: [{ channel: "whatsapp" }],
		routing,
	});
	const occurrence = await desk.settled(plan.planId);
	expect(occurrence).toMatchObject({
		status: "completed",
		work: [{ description: bali, status: "completed" }],
		gate: { valid: true },
		delivery: [{ channel: "whatsapp", status: "completed", attempts: 1, proof: "accepted" }],
	});
	const [message, ...others] = await whatsapp.messages();
	expect(others).toEqual([]);
	expect(message?.to).toBe(whatsapp.settings.owner?.slice(1));
	expect(message?.id).toBe(occurrence.delivery[0]?.providerMessageId);
	expect(JSON.parse(message?.body ?? "")).toMatchObject({ type: "text", text: { body: deliverable } });
	for (const inner of ["twelve beaches", "step 1", "<deliverable>", bali, plan.title]) expect(message?.body).not.toContain(inner);
	const [run] = await desk.runs(plan.threadId);
	const input = await desk.client.rpc("xworkmate.tasks.input", { runId: run?.runId });
	expect(input).toMatchObject({ prompt: expect.stringContaining("Your deliverable will be sent via WhatsApp. Plain text only.") });
	expect(await desk.client.snapshot({ runId: run?.runId ?? "" })).toMatchObject({ output: { text: expect.stringContaining(workLog) } });
});

it("[T2-84][T2-85][T2-86] a given text: one message with exactly these bytes when it is due, and no question to a model", async () => {
	const before = (await whatsapp.messages()).length;
	const questions = (await model.requests()).length;
	const content = "Don't forget to call mom";
	const scheduledFor = new Date(Date.now() + 1_500).toISOString();
	const plan = await desk.create({ title: "Reminder", type: "scheduled", scheduledFor, delivery: [{ channel: "whatsapp", content }] });
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "completed",
		runs: [],
		delivery: [{ status: "completed", attempts: 1 }],
	});
	const [message, ...others] = (await whatsapp.messages()).slice(before);
	expect(others).toEqual([]);
	expect(JSON.parse(message?.body ?? "")).toMatchObject({ text: { body: content } });
	const payload = await bridge.client().http({ path: `/actions/${plan.planId}-1-1/payload` });
	expect(message?.body).toBe(payload.body.toString("utf8"));
	expect(await desk.runs(plan.threadId)).toEqual([]);
	expect(await model.requests()).toHaveLength(questions);
});

it("[T2-88][T2-89] a refusal: nothing is sent, and a person looks at it", async () => {
	const before = await asked();
	const plan = await desk.create({ instructions: alert, delivery: [{ channel: "whatsapp" }], routing });
	expect(await desk.settled(plan.planId)).toMatchObject({
		status: "needs_review",
		gate: { valid: false, reason: "declined" },
		delivery: [{ status: "needs_review", code: "GATE_DECLINED", attempts: 0 }],
	});
	expect(await asked()).toBe(before);
});

it("[T2-67] a bare 502 is not known, and nothing is sent again, not by the next bridge either", async () => {
	const before = await asked();
	await whatsapp.fail({ stage: "stored", kind: "reply", status: 502, body: "<html>Bad Gateway</html>" });
	const plan = await desk.create({ delivery: [{ channel: "whatsapp", content: "Lost answer" }] });
	expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "unknown", code: "NO_ANSWER", attempts: 1 }] });
	await bridge.restart("SIGKILL");
	desk = new PlanDesk(bridge.client());
	expect(await desk.settled(plan.planId)).toMatchObject({ delivery: [{ status: "unknown", attempts: 1 }] });
	expect(await asked()).toBe(before + 1);
});

it("a token that has expired holds the message, which a person sends once it is mended", async () => {
	const before = (await whatsapp.messages()).length;
	await whatsapp.fail({ kind: "error", code: 190 });
	const plan = await desk.create({ delivery: [{ channel: "whatsapp", content: "After a new token" }] });
	const { occurrenceId, revision, delivery } = await desk.settled(plan.planId);
	expect(delivery).toMatchObject([{ status: "needs_review", code: "CHANNEL_AUTH", message: expect.stringContaining("(190)") }]);
	const actionId = delivery[0]?.actionId ?? "";
	const { payloadHash } = await desk.preview({ occurrenceId, actionId });
	await desk.decide("review", { occurrenceId, actionId, revision, decision: "send", payloadHash });
	await desk.until(plan.planId, "the message", ({ occurrence }) => occurrence?.status === "completed");
	expect((await whatsapp.messages()).slice(before)).toHaveLength(1);
});
