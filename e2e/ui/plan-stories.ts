import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clientOf } from "../support/app/kept-bridge.ts";
import { writeProviders } from "../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import type { TemporaryHome } from "../support/machine/temporary-home.ts";
import { startFakeModel } from "../support/model/fake-model.ts";
import { PlanDesk } from "../support/plans/plan-desk.ts";
import { startFakeDiscord } from "../support/services/fake-discord.ts";
import { startFakeWhatsApp } from "../support/services/fake-whatsapp.ts";
import { startFakeSmtp } from "../support/services/smtp-server.ts";

const suppliers = "Summarise the open orders for the suppliers";
const beaches = "Research the best beaches in Bali for families";
const news = "Write what is new about electric ferries";
const alert = "Write a fake emergency alert";
const deliverables = {
	[suppliers]:
		"Two of 31 open orders are late.\n\n4021, valves: due on the 12th. The forwarder has it, arrival on the 19th.\n\n4088, seals: due on the 14th. I have sent the supplier a reminder.\n\nAll others are on time.",
	[beaches]:
		"*Beaches in Bali for families*\n\nSanur: calm and shallow, with a reef.\nNusa Dua: clean, with shade.\nJimbaran: wide, best in the afternoon.",
	[news]:
		"Two yards launched **electric ferries** this week.\n\n- Bergen: 190 cars, nine minutes at the charger\n- Auckland: 200 passengers, in service from May",
};

/** The sentence of the picture, and what the model makes of it. */
export const sentence = "Every weekday at 8 research what is new about electric ferries and email Anna";
const form = {
	shouldCreateTask: true,
	task: {
		title: "Electric ferries",
		work: ["Research what is new about electric ferries"],
		delivery: [{ channel: "email", channelWords: "email", recipient: "Anna" }],
		when: { kind: "every", days: "weekday", clock: { hour: 8 }, words: ["Every weekday at 8"] },
	},
};

/** Mail, WhatsApp, Discord and a model, as processes beside the app. */
export async function startPlanServices() {
	await using stack = new AsyncDisposableStack();
	const smtp = stack.use(await startFakeSmtp("none"));
	const whatsapp = stack.use(await startFakeWhatsApp());
	const discord = stack.use(await startFakeDiscord());
	const model = stack.use(
		await startFakeModel({ FAKE_MODEL_STORIES: JSON.stringify({ [sentence]: `FAKE:TOOL read_plan ${JSON.stringify(form)}` }) }),
	);
	const env = { ...discord.settings, OPENAI_BASE_URL: `${model.url}/v1`, XWORKMATE_DEFAULT_PROVIDER: "sample" };
	const open = stack.move();
	return { smtp, whatsapp, discord, env, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
export type PlanServices = Awaited<ReturnType<typeof startPlanServices>>;

/** An agent that writes the messages of the pictures. */
export async function writePlanAgent(home: TemporaryHome): Promise<void> {
	const written = Object.entries(deliverables).map(([work, text]) => [
		`- ${work}`,
		`UNRULY:SAY I read the list, the calendar and last week's message.\n\n<deliverable>\n${text}\n</deliverable>`,
	]);
	const refused = [`- ${alert}`, "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>"];
	const file = join(home.path, "stories.json");
	await writeFile(file, JSON.stringify(Object.fromEntries([...written, refused])));
	await writeProviders(home, [{ ...unrulyAgent("sample", { UNRULY_STORIES: file }), name: "Sample agent" }]);
}

/** Sets the channels up and makes plans in the states that are shown. Returns their ids. */
export async function makePlans(home: TemporaryHome, { smtp, whatsapp, discord }: PlanServices) {
	const desk = new PlanDesk(await clientOf(home));
	const { client } = desk;
	await discord.connected();
	for (const { channel, settings, secrets } of [
		{ channel: "email", settings: { ...smtp.settings, owner: "mira@mail.example" }, secrets: smtp.secrets },
		{ channel: "whatsapp", settings: whatsapp.settings, secrets: { accessToken: whatsapp.secrets.accessToken } },
		{ channel: "discord", settings: { owner: "200", channel: "301" }, secrets: {} },
	])
		await client.rpc("xworkmate.channels.configure", { channel, settings, secrets });
	const addresses = { email: "anna@mail.example", whatsapp: "+49 151 12345678", discord: "201" };
	await client.rpc("xworkmate.contacts.put", { contactId: "anna", name: "Anna Weber", addresses });
	for (const channel of ["email", "whatsapp"]) await client.rpc("xworkmate.channels.test", { channel, requestId: `test-${channel}` });

	const weekly = { type: "recurring", timezone: "UTC" };
	const work = (description: string) => ({ work: [{ description }], instructions: "" });
	const ferries = await desk.create({ ...work(news), ...weekly, title: "Electric ferries", cron: "0 8 * * 1-5" });
	for (let number = 1; number <= 3; number++) {
		await desk.run(ferries.planId);
		await desk.settled(ferries.planId, number);
	}
	const paused = await desk.create({ ...work(news), ...weekly, title: "Month in numbers", cron: "0 17 28 * *" });
	await desk.call("pause", { planId: paused.planId });
	const trip = await desk.create({ ...work(beaches), title: "Beaches in Bali", delivery: [{ channel: "whatsapp" }] });
	await desk.settled(trip.planId);
	await smtp.fail({ stage: "dot", kind: "cut" });
	const rent = { channel: "email", recipient: "anna", content: "The invoice for November is due on Friday." };
	const unknown = await desk.create({ title: "Invoice reminder", delivery: [rent] });
	await desk.settled(unknown.planId);
	const scheduledFor = new Date(Date.now() + 26 * 3_600_000).toISOString();
	const mom = { channel: "whatsapp", content: "Don't forget to call mom" };
	await desk.create({ title: "Call mom", type: "scheduled", scheduledFor, timezone: "UTC", delivery: [mom] });
	const refused = await desk.create({ ...work(alert), title: "Emergency alert", delivery: [{ channel: "whatsapp", recipient: "anna" }] });
	await desk.settled(refused.planId);
	const three = ["email", "whatsapp", "discord"].map((channel) => ({ channel, recipient: "anna" }));
	const orders = await desk.create({ ...work(suppliers), ...weekly, title: "Supplier update", cron: "0 9 * * 3", delivery: three });
	await desk.run(orders.planId);
	await desk.settled(orders.planId);
	return { orders: orders.planId, trip: trip.planId, ferries: ferries.planId };
}
