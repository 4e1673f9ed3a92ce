import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { BridgeProcess } from "../bridge/bridge-process.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../services/fake-whatsapp.ts";
import type { KillOutlet } from "./kill-outlet.ts";
import { webhookAddressOf } from "./webhook-address.ts";

const IN_CALL = "in a webhook's handling";
const AFTER_CALL = "after a webhook's 200";
const STAGES = { "in the hand-over": "read", "accepted, before the answer": "stored", "accepted, in the answer": "answer" } as const;
/** A webhook is handled within about this time. */
const HANDLING_MS = 6;
const Stage = z.enum(["in the hand-over", "accepted, before the answer", "accepted, in the answer"]);
const Body = z.looseObject({ text: z.looseObject({ body: z.string() }) });

/** WhatsApp messages, with webhooks that say what happened to them. */
export async function whatsappOutlet(): Promise<KillOutlet> {
	const whatsapp = await startFakeWhatsApp();
	const { settings, secrets } = whatsapp;
	let url = "";
	/** Where webhooks go now, and which of a message's statuses WhatsApp reports automatically. */
	const aim = (automatic: readonly string[]) => whatsapp.tell("webhook", { url, automatic });
	const find = async (bridge: BridgeProcess) => {
		url = await webhookAddressOf(bridge);
		await aim(["sent", "delivered"]);
	};
	return {
		channel: "whatsapp",
		env: { XWORKMATE_WEBHOOK_LISTEN: "127.0.0.1:0" },
		points: [...Stage.options, IN_CALL, AFTER_CALL],
		contact: "+4915112345678",
		isProved: true,
		async setUp(bridge) {
			await bridge.client().rpc("xworkmate.channels.configure", { channel: "whatsapp", settings, secrets });
			await find(bridge);
		},
		async hold(point, random) {
			const before = (await whatsapp.messages()).length;
			if (point === IN_CALL || point === AFTER_CALL) {
				await aim([]);
				return () => callThere(whatsapp, before, point === IN_CALL ? random() * HANDLING_MS : undefined);
			}
			const faults = async () => (await whatsapp.journal()).filter(({ event }) => event === "fault").length;
			const already = await faults();
			await whatsapp.fail({ stage: STAGES[Stage.parse(point)], kind: "hang" });
			return () => waitUntil(`a message held ${point}`, 60_000, async () => ((await faults()) > already ? true : undefined));
		},
		/** WhatsApp repeats a webhook for days until it is accepted. */
		async back(bridge) {
			await find(bridge);
			for (const { id } of (await whatsapp.messages()).slice(-10)) await whatsapp.tell("status", { id, status: "delivered" });
		},
		async arrived() {
			await whatsapp.noted("the ends of all connections", (journal) => {
				const count = (what: string) => journal.filter(({ event }) => event === what).length;
				return count("close") >= count("connect");
			});
			return (await whatsapp.messages()).map(({ body }) => Body.parse(JSON.parse(body)).text.body);
		},
		[Symbol.asyncDispose]: () => whatsapp[Symbol.asyncDispose](),
	};
}

/** Calls the bridge about a new message. With a time, it does not wait for the answer longer than that. */
async function callThere(whatsapp: FakeWhatsApp, before: number, most: number | undefined): Promise<void> {
	const { id } = await waitUntil("an accepted message", 60_000, async () => (await whatsapp.messages()).at(before));
	const called = whatsapp.tell("status", { id, status: "delivered" }).then(
		() => undefined,
		// The bridge was killed before it answered.
		() => undefined,
	);
	await (most === undefined ? called : Promise.race([called, delay(most)]));
}
