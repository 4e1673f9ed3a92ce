import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { owner, setUpDiscord, stopPosts } from "../../support/plans/set-up-discord.ts";
import { mailText, setUpEmail } from "../../support/plans/set-up-email.ts";
import { type FakeDiscord, startFakeDiscord } from "../../support/services/fake-discord.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../support/services/fake-whatsapp.ts";
import { type FakeSmtp, startFakeSmtp } from "../../support/services/smtp-server.ts";

const channels = ["email", "whatsapp", "discord"] as const;
type Channel = (typeof channels)[number];

let smtp: FakeSmtp;
let whatsapp: FakeWhatsApp;
let discord: FakeDiscord;
let bridge: BridgeProcess;
let desk: PlanDesk;

beforeAll(async () => {
	[smtp, whatsapp, discord] = await Promise.all([startFakeSmtp(), startFakeWhatsApp(), startFakeDiscord()]);
	bridge = await startBridge({ env: discord.settings });
	desk = new PlanDesk(bridge.client());
	await setUpEmail(desk.client, smtp);
	await setUpDiscord(desk.client);
	const { settings, secrets } = whatsapp;
	await desk.client.rpc("xworkmate.channels.configure", { channel: "whatsapp", settings, secrets });
}, 120_000);
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await Promise.all([smtp, whatsapp, discord].map((fake) => fake[Symbol.asyncDispose]()));
});

/** How often a text has arrived, by the journals of the services. */
async function arrived(text: string): Promise<Record<Channel, number>> {
	const mails = (await smtp.mails()).filter((mail) => mailText(mail) === text);
	const messages = (await whatsapp.messages()).filter(({ body }) => JSON.parse(body).text.body === text);
	const posts = (await discord.posts(owner.channel)).filter(({ content }) => content === text);
	return { email: mails.length, whatsapp: messages.length, discord: posts.length };
}

/** The next message of a channel is refused for good. */
const refusals: Readonly<Record<Channel, () => Promise<void>>> = {
	email: () => smtp.fail({ stage: "rcpt", kind: "answer", code: 550, text: "5.1.1 No such user" }),
	whatsapp: () => whatsapp.fail({ kind: "error", code: 131_026 }),
	discord: () => stopPosts(discord, owner.channel, { status: 403, code: 50_007 }),
};

it.each(channels)(
	"[T2-54][T2-58][T2-60][T2-67] of three channels two have the result when %s refuses it, and only that one is sent again",
	async (failing) => {
		const text = `One result for three, without ${failing}`;
		await refusals[failing]();
		const plan = await desk.script(`return ${JSON.stringify(text)}`, { delivery: channels.map((channel) => ({ channel })) });
		const first = await desk.settled(plan.planId);
		const others = channels.filter((channel) => channel !== failing);
		const once = { email: 1, whatsapp: 1, discord: 1 };
		expect(first).toMatchObject({
			status: "failed",
			code: "DELIVERY_PARTIAL",
			delivery: channels.map((channel) => ({
				channel,
				status: channel === failing ? "failed" : "completed",
				...(channel === failing && { code: expect.stringMatching(/_REFUSED$/), fix: expect.any(String) }),
				attempts: 1,
			})),
		});
		expect(await desk.get(plan.planId)).toMatchObject({ status: "failed" });
		expect(await arrived(text)).toEqual({ ...once, [failing]: 0 });

		const idOf = (channel: Channel) => first.delivery.find((action) => action.channel === channel)?.actionId ?? "";
		const again = { occurrenceId: first.occurrenceId, requestId: `again-${failing}` };
		for (const actionIds of [others, channels].map((some) => some.map(idOf)))
			await expect(desk.call("resend", { ...again, actionIds })).rejects.toMatchObject({ refusal: { data: { code: "NOTHING_TO_SEND" } } });
		await desk.call("resend", { ...again, actionIds: [idOf(failing)] });
		const second = await desk.settled(plan.planId, 2);
		expect(second).toMatchObject({ kind: "resend", resends: first.occurrenceId, status: "completed", deliverable: first.deliverable });
		expect(second.delivery).toMatchObject([{ channel: failing, status: "completed", attempts: 1 }]);
		expect(await desk.get(plan.planId)).toMatchObject({ status: "completed" });
		await bridge.restart("SIGKILL");
		desk = new PlanDesk(bridge.client());
		expect(await arrived(text)).toEqual(once);
		expect(await desk.runs(plan.threadId)).toHaveLength(1);
	},
);
