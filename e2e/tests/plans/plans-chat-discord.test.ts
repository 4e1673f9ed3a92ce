import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { Plan } from "../../support/plans/plan-wire.ts";
import { said } from "../../support/plans/said-plan.ts";
import { setUpDiscord } from "../../support/plans/set-up-discord.ts";
import { type SharedDiscordScene, sharedDiscordScene } from "../../support/services/discord-scene.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../support/services/fake-whatsapp.ts";

/** A zone in which it is about noon, whenever the test runs: five in the afternoon is to come. */
const hours = new Date().getUTCHours() - 12;
const zone = hours === 0 ? "UTC" : `Etc/GMT${hours < 0 ? hours : `+${hours}`}`;
const truth = [{ text: "Your reminder: " }, { receiptId: "$receipt(1)" }];
const when = { kind: "at", day: "tomorrow", clock: { hour: 9 }, words: ["tomorrow at 9am"] };
const content = "Don't forget to call mom";
const words = `Remind me on Discord tomorrow at 9am: ${content}`;
const task = { title: "Call mom", delivery: [{ channel: "discord", channelWords: "Discord", recipient: "me", content }], when };
const Listed = z.object({ items: z.array(Plan) });
const Extracted = z.looseObject({ task: z.record(z.string(), z.unknown()), problems: z.array(z.unknown()) });

let model: FakeModel;
let whatsapp: FakeWhatsApp;
let shared: SharedDiscordScene;
let desk: PlanDesk;
beforeAll(async () => {
	model = await startFakeModel();
	whatsapp = await startFakeWhatsApp();
	const environment = { ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: model.url };
	shared = await sharedDiscordScene({ ...environment, TZ: zone, XWORKMATE_DEFAULT_PROVIDER: "", XWORKMATE_PARK_MS: "50" });
	desk = new PlanDesk(shared.scene.bridge.client());
	await setUpDiscord(desk.client);
	const { settings, secrets } = whatsapp;
	await desk.client.rpc("xworkmate.channels.configure", { channel: "whatsapp", settings, secrets });
}, 60_000);
afterAll(async () => {
	await shared[Symbol.asyncDispose]();
	await whatsapp[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

const plans = async () => Listed.parse(await desk.call("list", {})).items;

const mine = { channelWords: "Discord", recipient: "me", content };
const atFive = { kind: "at", clock: { hour: 17 }, words: ["at 5pm"] };
const toWhatsApp = { ...mine, channel: "whatsapp", channelWords: "WhatsApp" };

it.each([
	["Discord", words, task],
	["WhatsApp", `WhatsApp me at 5pm: ${content}`, { title: "Call mom", delivery: [toWhatsApp], when: atFive }],
])(
	"[T2-93] a message by %s that is asked for in Discord is the plan that the form makes, once a button is pressed",
	async (_channel, words, task) => {
		await using there = shared.next();
		const { discord } = there;
		const before = await plans();
		await discord.say(said(words, task, truth));
		const allow = await discord.button("Allow once");
		const post = await discord.post("the question", (each) => each.content.includes("Create the plan"));
		expect(post.content.replaceAll("\\", "")).toContain(`exactly "${content}"`);
		expect(await plans()).toEqual(before);
		await discord.click(allow);
		const answer = await discord.answered("Your reminder");
		expect(answer.content.replaceAll("\\", "")).toContain(`exactly "${content}"`);
		const known = new Set(before.map(({ planId }) => planId));
		const [made, ...others] = (await plans()).filter(({ planId }) => !known.has(planId));
		expect(others).toEqual([]);
		const order = Buffer.from(
			`TOOL read_plan ${JSON.stringify({ shouldCreateTask: true, task: { ...task, instructions: "", work: [] } })}`,
		);
		const text = `${words}\nFAKE:OBEY 1 ORDERS:${order.toString("base64url")}`;
		const { task: draft, problems } = Extracted.parse(await desk.call("extract", { text, timezone: zone }));
		expect(problems).toEqual([]);
		const { said: _said, work: _work, delivery, ...terms } = draft;
		expect(made).toMatchObject({ ...terms, work: [], title: "Call mom", timezone: zone });
		expect(made?.delivery).toMatchObject(z.array(z.record(z.string(), z.unknown())).parse(delivery));
		expect(made?.delivery).toMatchObject([{ channel: task.delivery[0]?.channel, content }]);
	},
);

it("a time that is named on Discord is in the zone that is set there; without one, the question says whose it is", async () => {
	const asked = async (timezone: string | null, question: string) => {
		await desk.client.rpc("xworkmate.channels.configure", { channel: "discord", settings: { timezone }, secrets: {} });
		await using there = shared.next();
		const { discord } = there;
		const before = new Set((await plans()).map(({ planId }) => planId));
		await discord.say(said(words, task, truth));
		const allow = await discord.button("Allow once");
		const post = await discord.post("the question", (each) => each.content.includes("Create the plan"));
		expect(post.content.replaceAll("\\", "")).toContain(question);
		await discord.click(allow);
		await discord.answered("Your reminder");
		return (await plans()).find(({ planId }) => !before.has(planId));
	};
	const made = await asked("Asia/Tokyo", "at 09:00 (Tokyo);");
	// Nine in Tokyo is midnight in UTC.
	expect(made).toMatchObject({ timezone: "Asia/Tokyo", scheduledFor: expect.stringContaining("T00:00:00") });
	expect(await asked(null, `times are in ${zone}, the bridge's time zone: set yours under Settings > Channels > Discord`)).toMatchObject({
		timezone: zone,
	});
	const wrong = desk.client.rpc("xworkmate.channels.configure", { channel: "discord", settings: { timezone: "+07:00" }, secrets: {} });
	await expect(wrong).rejects.toThrow("timezone must be a time zone, such as Europe/Berlin");
});

it("a channel that the words don't name is asked for, and the answer makes the plan", async () => {
	await using there = shared.next();
	const { discord } = there;
	const before = (await plans()).length;
	await discord.say(said(`Remind me tomorrow at 9am: ${content}`, task, [{ text: "How should I send it?" }]));
	await discord.answered("How should I send it?");
	expect(await plans()).toHaveLength(before);
	await discord.say(said("On Discord please", task, truth));
	await discord.click(await discord.button("Allow once"));
	await discord.answered("Your reminder");
	expect(await plans()).toHaveLength(before + 1);
});

it("a plan that is denied by its button is not made, and the answer says so", async () => {
	await using there = shared.next();
	const { discord } = there;
	const before = await plans();
	const lie = [{ text: "I scheduled it, you will be reminded at 9." }];
	await discord.say(said(words, task, lie, lie));
	await discord.click(await discord.button("Deny"));
	const answer = await discord.answered("Couldn't verify");
	expect(answer.content.replaceAll("\\", "")).toContain("Not done, because it was denied:");
	expect(await plans()).toEqual(before);
});
