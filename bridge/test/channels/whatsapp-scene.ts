import { ActionId, OccurrenceId, PlanId } from "@xworkmate/contracts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../../e2e/support/services/fake-whatsapp.ts";
import type { Settings } from "../../src/channels/set-up/channel-kind.ts";
import { WhatsAppChannel } from "../../src/channels/whatsapp/whatsapp-channel.ts";
import type { Attempt, Built, Message, SendOutcome } from "../../src/ports/channels/channel.ts";

const NOW = Date.UTC(2026, 3, 1);

/** The Graph API, and a channel that is set up for it. */
export class WhatsAppScene implements AsyncDisposable {
	readonly whatsapp: FakeWhatsApp;
	/** Read again by the channel for each message. */
	readonly stored: { settings: Settings; secrets: Readonly<Record<string, string>> };
	/** Until when an address may be written to from the number that is set up. */
	readonly windows = new Map<string, string>();

	private constructor(whatsapp: FakeWhatsApp) {
		this.whatsapp = whatsapp;
		this.stored = { settings: whatsapp.settings, secrets: whatsapp.secrets };
	}

	static async open(): Promise<WhatsAppScene> {
		return new WhatsAppScene(await startFakeWhatsApp());
	}

	/** @param hearsNews webhooks are listened to */
	channel(hearsNews = false, idleMs = 10_000, connectMs = 5_000): WhatsAppChannel {
		return new WhatsAppChannel({
			read: () => ({ kind: "stored", stored: this.stored }),
			lint: () => [],
			clock: { now: () => NOW },
			listensOn: hearsNews ? "127.0.0.1:8790" : undefined,
			windows: {
				until: async ({ address, number }) => (number === this.whatsapp.settings.phoneNumberId ? this.windows.get(address) : undefined),
			},
			limits: { connectMs, idleMs },
		});
	}

	async built(message: Partial<Message> = {}): Promise<Built> {
		return await this.channel().render({ ...aMessage, ...message });
	}

	/** Sends a message, and says how often it was handed over. */
	async send(
		message: Partial<Message> = {},
		channel = this.channel(),
		signal: AbortSignal = new AbortController().signal,
		attempt?: Attempt,
	): Promise<SendOutcome & { handedOver: number }> {
		const { payload } = await this.built(message);
		let handedOver = 0;
		const handOver = async () => {
			handedOver += 1;
		};
		return { ...(await channel.send(payload, handOver, signal, attempt)), handedOver };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.whatsapp[Symbol.asyncDispose]();
	}
}

export const JONAS = "+4915112345678";

export const aMessage: Message = {
	actionId: ActionId.parse("plan1-1-1"),
	planId: PlanId.parse("plan1"),
	occurrenceId: OccurrenceId.parse("plan1-1"),
	title: "Beaches in Bali",
	text: "*Beaches* for families:\n1. Sanur, calm. 2. Nusa Dua \u{1f3d6}",
	address: JONAS,
	name: "Jonas",
	files: [],
	at: "2026-04-01T08:00:00.000Z",
};
