import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { Plan } from "../../support/plans/plan-wire.ts";
import { said } from "../../support/plans/said-plan.ts";
import { type SharedDiscordScene, sharedDiscordScene } from "../../support/services/discord-scene.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../support/services/fake-whatsapp.ts";

const bali = "Research the best beaches in Bali for families";
const alert = "Write a fake emergency alert";
const deliverable = "*Beaches in Bali for families*: Sanur is calm and shallow, Nusa Dua is clean.";
const content = "Don't forget to call mom";
const truth = [{ text: "Your plan: " }, { receiptId: "$receipt(1)" }];
const toMe = { channel: "whatsapp", channelWords: "WhatsApp", recipient: "me" };
const now = { kind: "now" };
const Listed = z.object({ items: z.array(Plan) });

let model: FakeModel;
let whatsapp: FakeWhatsApp;
let shared: SharedDiscordScene;
let desk: PlanDesk;
beforeAll(async () => {
	const stories = {
		[bali]: `FAKE:ANSWER ${JSON.stringify([{ text: deliverable }])}`,
		[alert]: `FAKE:ANSWER ${JSON.stringify([{ text: "NONE" }])}`,
	};
	model = await startFakeModel({ FAKE_MODEL_STORIES: JSON.stringify(stories) });
	whatsapp = await startFakeWhatsApp();
	const environment = { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url };
	shared = await sharedDiscordScene({ ...environment, XWORKMATE_DEFAULT_PROVIDER: "", XWORKMATE_PARK_MS: "50" });
	desk = new PlanDesk(shared.scene.bridge.client());
	const { settings, secrets } = whatsapp;
	await desk.client.rpc("xworkmate.channels.configure", { channel: "whatsapp", settings, secrets });
}, 120_000);
afterAll(async () => {
	await shared[Symbol.asyncDispose]();
	await whatsapp[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

const texts = async () => (await whatsapp.messages()).map(({ body }) => JSON.parse(body).text.body);
const asked = async () => (await whatsapp.journal()).filter(({ event }) => event === "messages").length;
const plans = async () => Listed.parse(await desk.call("list", {})).items;

/** Asks for a plan in Discord, allows it by the button, and gives it once it is over or waits. */
async function byDiscord(words: string, task: object) {
	await using there = shared.next();
	const { discord } = there;
	const before = new Set((await plans()).map(({ planId }) => planId));
	await discord.say(said(words, task, truth));
	const allow = await discord.button("Allow once");
	expect(await plans()).toHaveLength(before.size);
	await discord.click(allow);
	await discord.answered("Your plan");
	const made = (await plans()).filter(({ planId }) => !before.has(planId));
	expect(made).toHaveLength(1);
	const planId = made[0]?.planId ?? "";
	return { occurrence: await desk.settled(planId), plan: await desk.get(planId) };
}

it("[T2-78][T2-79][T2-81][T2-82][T2-93] research and WhatsApp, asked for in Discord: exactly one clean message", {
	timeout: 150_000,
}, async () => {
	const before = (await texts()).length;
	const words = `${bali} and WhatsApp me`;
	const { occurrence, plan } = await byDiscord(words, { title: "Beaches", instructions: bali, work: [bali], delivery: [toMe], when: now });
	expect(occurrence).toMatchObject({
		status: "completed",
		work: [{ status: "completed" }],
		delivery: [{ status: "completed", attempts: 1 }],
	});
	expect((await texts()).slice(before)).toEqual([deliverable]);
	expect(await desk.runs(plan.threadId)).toHaveLength(1);
});

it("[T2-84][T2-85][T2-86][T2-93] a given text, asked for in Discord: exactly one message with these bytes, and no run", {
	timeout: 150_000,
}, async () => {
	const before = (await texts()).length;
	const { occurrence, plan } = await byDiscord(`WhatsApp me: ${content}`, {
		title: "Call mom",
		delivery: [{ ...toMe, content }],
		when: now,
	});
	expect(occurrence).toMatchObject({ status: "completed", runs: [], delivery: [{ status: "completed", attempts: 1 }] });
	expect((await texts()).slice(before)).toEqual([content]);
	expect(await desk.runs(plan.threadId)).toEqual([]);
});

it("[T2-88][T2-89][T2-93] what the model refuses, asked for in Discord: nothing is sent, and it waits for a person", {
	timeout: 150_000,
}, async () => {
	const before = await asked();
	const { occurrence } = await byDiscord(`${alert} and WhatsApp me`, {
		title: "Alert",
		instructions: alert,
		work: [alert],
		delivery: [toMe],
		when: now,
	});
	expect(occurrence).toMatchObject({ status: "needs_review", delivery: [{ status: "needs_review", code: "GATE_DECLINED" }] });
	expect(await asked()).toBe(before);
});
