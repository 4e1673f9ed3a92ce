import { ActionId, OccurrenceId, PlanId } from "@xworkmate/contracts";
import { type FakeSmtp, startFakeSmtp } from "../../../e2e/support/services/smtp-server.ts";
import { EmailChannel } from "../../src/channels/email/email-channel.ts";
import type { Settings } from "../../src/channels/set-up/channel-kind.ts";
import type { Built, Message, SendOutcome } from "../../src/ports/channels/channel.ts";

export const MIRA = "mira@mail.example";
export const JONAS = "jonas@example.org";

/** A mail server, and a channel that is set up for it. */
export class MailScene implements AsyncDisposable {
	readonly smtp: FakeSmtp;
	readonly channel: EmailChannel;
	/** Read again by the channel for each message. */
	readonly stored: { settings: Settings; secrets: Readonly<Record<string, string>> };

	private constructor(smtp: FakeSmtp, idleMs: number, connectMs: number) {
		this.smtp = smtp;
		this.stored = { settings: smtp.settings, secrets: smtp.secrets };
		this.channel = new EmailChannel({
			read: () => ({ kind: "stored", stored: this.stored }),
			lint: () => [],
			clock: { now: () => Date.UTC(2026, 3, 1) },
			limits: { connectMs, idleMs },
		});
	}

	/**
	 * @param idleMs how long the channel waits for a silent server
	 * @param connectMs how long it waits for a connection, and for the greeting
	 */
	static async open(security: "tls" | "starttls" | "none" = "starttls", idleMs = 60_000, connectMs = 5_000): Promise<MailScene> {
		return new MailScene(await startFakeSmtp(security), idleMs, connectMs);
	}

	/** With a server that announces the largest message that it accepts, in bytes. */
	static async ofSize(size: number): Promise<MailScene> {
		return new MailScene(await startFakeSmtp("starttls", false, size), 60_000, 5_000);
	}

	set(settings: Settings): void {
		this.stored.settings = { ...this.stored.settings, ...settings };
	}

	async built(message: Partial<Message> = {}): Promise<Built> {
		return await this.channel.render({ ...aMessage, ...message });
	}

	/** Sends a message, and says how often it was handed over. */
	async send(
		message: Partial<Message> = {},
		signal: AbortSignal = new AbortController().signal,
	): Promise<SendOutcome & { handedOver: number }> {
		const { payload } = await this.built(message);
		let handedOver = 0;
		const outcome = await this.channel.send(
			payload,
			async () => {
				handedOver += 1;
			},
			signal,
		);
		return { ...outcome, handedOver };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.smtp[Symbol.asyncDispose]();
	}
}

export const aMessage: Message = {
	actionId: ActionId.parse("plan1-1-1"),
	planId: PlanId.parse("plan1"),
	occurrenceId: OccurrenceId.parse("plan1-1"),
	title: "Beaches in Bali",
	text: "# Beaches\n\n- Sanur\n- Nusa Dua\n",
	address: JONAS,
	name: "Jonas",
	files: [],
	at: "2026-04-01T08:00:00.000Z",
};
