import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { webhookAddressOf } from "../../support/plans/webhook-address.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../support/services/fake-whatsapp.ts";

let home: TemporaryHome;
let whatsapp: FakeWhatsApp;
let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	home = await temporaryHome();
	whatsapp = await startFakeWhatsApp();
	bridge = await startBridge({ home, env: { XWORKMATE_WEBHOOK_LISTEN: "127.0.0.1:0" } });
	desk = new PlanDesk(bridge.client());
	const { settings, secrets } = whatsapp;
	await desk.client.rpc("xworkmate.channels.configure", { channel: "whatsapp", settings, secrets });
	await aim();
});
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await whatsapp[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/** Webhooks go to the bridge as it runs now. */
async function aim(): Promise<void> {
	await whatsapp.tell("webhook", { url: await webhookAddressOf(bridge) });
}

/** A message that WhatsApp has accepted and not proved. */
async function accepted(content: string) {
	const plan = await desk.create({ delivery: [{ channel: "whatsapp", content }] });
	await desk.until(plan.planId, "an answer", ({ occurrence }) => occurrence?.delivery[0]?.stage === "accepted");
	const message = (await whatsapp.messages()).at(-1);
	if (message === undefined) throw new Error("WhatsApp accepted nothing");
	return { planId: plan.planId, id: message.id };
}

it("is completed when WhatsApp says that it arrived, and later says that it was read", async () => {
	const { planId, id } = await accepted("Proved by a webhook");
	await whatsapp.tell("status", { id, status: "delivered" });
	const delivered = await desk.settled(planId);
	expect(delivered).toMatchObject({ status: "completed", delivery: [{ status: "completed", proof: "delivered", attempts: 1 }] });
	await whatsapp.tell("status", { id, status: "read" });
	await desk.until(planId, "a reader", ({ occurrence }) => occurrence?.delivery[0]?.proof === "read");
	expect((await whatsapp.messages()).filter((message) => message.id === id)).toHaveLength(1);
});

it("waits for a person when WhatsApp says after its yes that the window was closed, and nothing is sent again", async () => {
	const { planId, id } = await accepted("Refused by a webhook");
	const before = (await whatsapp.messages()).length;
	await whatsapp.tell("status", { id, status: "failed", code: 131_047 });
	expect(await desk.settled(planId)).toMatchObject({
		status: "needs_review",
		delivery: [{ status: "needs_review", code: "WINDOW_CLOSED" }],
	});
	expect(await whatsapp.messages()).toHaveLength(before);
});

it("holds a message outside the window, opens it with the template and a reply, and sends it then, once", async () => {
	const anna = { contactId: "anna", name: "Anna", addresses: { whatsapp: "+4915112340000" } };
	const number = anna.addresses.whatsapp.slice(1);
	const content = "Sanur is calm, Nusa Dua is clean";
	await desk.client.rpc("xworkmate.contacts.put", anna);
	await desk.client.rpc("xworkmate.channels.configure", {
		channel: "whatsapp",
		settings: { template: "hello_world", templateLanguage: "en_US" },
	});
	await whatsapp.tell("window", { number, open: false });
	const plan = await desk.create({ delivery: [{ channel: "whatsapp", recipient: anna.contactId, content }] });
	const held = await desk.settled(plan.planId);
	expect(held).toMatchObject({
		status: "needs_review",
		delivery: [{ code: "WINDOW_CLOSED", message: expect.stringContaining("not written to you") }],
	});
	// The template reaches who has not written. It is no message of the plan.
	const tested = await desk.client.rpc("xworkmate.channels.test", {
		channel: "whatsapp",
		requestId: "open-anna",
		recipient: anna.contactId,
	});
	expect(tested).toMatchObject({ ok: true });
	expect((await whatsapp.messages()).at(-1)).toMatchObject({ to: number, type: "template" });
	expect(await desk.get(plan.planId)).toMatchObject({ status: "needs_review" });
	await whatsapp.tell("reply", { from: number, text: "Yes please" });
	const opened = await desk.until(plan.planId, "news of the reply", ({ occurrence }) =>
		/you can write to them until/.test(String(occurrence?.delivery[0]?.message)),
	);
	const texts = async () => (await whatsapp.messages()).filter(({ to, type }) => to === number && type === "text");
	const { occurrenceId, revision, delivery } = opened.occurrence ?? held;
	const [action] = delivery;
	const before = (await texts()).length;
	const sent = await desk.decide("review", {
		occurrenceId,
		actionId: action?.actionId,
		revision,
		decision: "send",
		payloadHash: action?.payloadHash,
	});
	expect(sent.applied).toBe(true);
	await desk.until(plan.planId, "an answer", ({ occurrence }) => occurrence?.delivery[0]?.stage === "accepted");
	const message = (await texts()).at(-1);
	await whatsapp.tell("status", { id: message?.id, status: "delivered" });
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed", delivery: [{ proof: "delivered", attempts: 2 }] });
	expect(await texts()).toHaveLength(before + 1);
	expect(message).not.toHaveProperty("failsLater");
	expect(JSON.parse(message?.body ?? "")).toMatchObject({ text: { body: content } });
	await desk.client.rpc("xworkmate.channels.configure", { channel: "whatsapp", settings: { template: null, templateLanguage: null } });
});

it("hears after a kill what came of a message that was accepted before it", async () => {
	const { planId, id } = await accepted("Proved after a kill");
	await bridge.kill("SIGKILL");
	await bridge.start();
	desk = new PlanDesk(bridge.client());
	await aim();
	await whatsapp.tell("status", { id, status: "delivered" });
	expect(await desk.settled(planId)).toMatchObject({ status: "completed", delivery: [{ proof: "delivered", attempts: 1 }] });
});

it("says where it listens, and until when the owner may be written to once they have written", async () => {
	const Listed = z.object({ channels: z.array(z.looseObject({ channel: z.string(), windowUntil: z.string().optional() })) });
	const listed = async () => {
		const { channels } = Listed.parse(await desk.client.rpc("xworkmate.channels.list"));
		return channels.find(({ channel }) => channel === "whatsapp");
	};
	expect(await listed()).toMatchObject({ webhooks: { listensOn: "127.0.0.1:0" } });
	expect((await listed())?.windowUntil).toBeUndefined();
	const before = Date.now();
	expect(await whatsapp.tell("reply", { from: whatsapp.settings.owner?.slice(1), text: "Hello" })).toEqual([200]);
	const until = await waitUntil("an open window", 10_000, async () => (await listed())?.windowUntil);
	expect(Date.parse(until) - before).toBeGreaterThan(23 * 3_600_000);
});
