import type { Channel, LintFinding, PayloadPart, Unavailable } from "@xworkmate/contracts";
import type { Attempt, Built, DeliveryChannel, HandOver, Message, SendOutcome } from "../../ports/channels/channel.ts";
import type { ReplyWindows } from "../../ports/channels/channel-news.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Payload } from "../../ports/plans/plan-event.ts";
import type { ReadStored } from "../set-up/channels-file.ts";
import { buildMessage, MOST_TEXT, messageParts, partsOf, recipientOf } from "./build-message.ts";
import type { GraphLimits } from "./graph-exchange.ts";
import { sendOutcome } from "./send-outcome.ts";
import { type TestResult, testWhatsApp } from "./test-whatsapp.ts";
import { WhatsAppRequests } from "./whatsapp-requests.ts";
import { type ReadAccount, readWhatsAppAccount, type WhatsAppAccount, whatsAppOwner } from "./whatsapp-settings.ts";

const defaultLimits: GraphLimits = { connectMs: 15_000, idleMs: 45_000 };

export interface WhatsAppChannelOptions {
	/** Reads the current settings. */
	readonly read: () => ReadStored;
	/** Checks a deliverable, and returns what the channel objects to. */
	readonly lint: (text: string) => readonly LintFinding[];
	readonly clock: Pick<Clock, "now">;
	/** Host and port where this bridge listens for Meta's reports about messages. If absent, it does not listen. */
	readonly listensOn?: string | undefined;
	/** Knows who has written to the number recently. Without it, the channel can't tell. */
	readonly windows?: Pick<ReplyWindows, "until"> | undefined;
	readonly limits?: GraphLimits;
}

/** Sends WhatsApp messages through Meta's Cloud API. */
export class WhatsAppChannel implements DeliveryChannel {
	readonly channel = "whatsapp";
	readonly constraints =
		"Your deliverable will be sent via WhatsApp. Plain text only. Use *bold* sparingly. Keep under 2000 chars. No markdown headers, code blocks, or bullet dashes.";
	readonly #options: WhatsAppChannelOptions;

	constructor(options: WhatsAppChannelOptions) {
		this.#options = options;
	}

	lint(text: string): readonly LintFinding[] {
		return this.#options.lint(text);
	}

	contentProblem(text: string): string | undefined {
		if (text.trim() === "") return "The message is empty.";
		if (!text.isWellFormed() || text.includes("\0")) return "The message contains characters that WhatsApp can't send.";
		return text.length > MOST_TEXT ? `The message has ${text.length} characters, but WhatsApp accepts at most ${MOST_TEXT}.` : undefined;
	}

	owner(): string | undefined {
		const read = this.#options.read();
		return read.kind === "unusable" ? undefined : whatsAppOwner(read.stored);
	}

	async render(message: Message): Promise<Built> {
		return buildMessage(message);
	}

	async partsOf(payload: Payload): Promise<readonly PayloadPart[]> {
		return partsOf(payload);
	}

	async availability(): Promise<Unavailable | undefined> {
		const ready = this.#account();
		return ready.kind === "unready" ? ready.problem : undefined;
	}

	/** A file is uploaded first, so `handOver` is awaited only for the message. */
	async send(payload: Payload, handOver: HandOver, signal: AbortSignal, attempt?: Attempt): Promise<SendOutcome> {
		const ready = this.#account();
		if (ready.kind === "unready") {
			const { message, fix } = ready.problem;
			return { kind: "held", code: "CHANNEL_UNAVAILABLE", message, fix };
		}
		const { account } = ready;
		const { upload, body } = messageParts(payload);
		const closed = attempt?.isReviewed === true ? undefined : await this.#closedWindow(recipientOf(payload), account);
		if (closed !== undefined) return closed;
		const requests = new WhatsAppRequests(account, this.#options.limits ?? defaultLimits, signal);
		const uploaded = upload === undefined ? undefined : await requests.upload(upload);
		if (uploaded?.kind === "failed") return uploaded.outcome;
		const end = await requests.message(body(uploaded?.id), handOver);
		return sendOutcome(end, account, this.#awaitsProof(account));
	}

	async view(): Promise<Channel> {
		const read = this.#options.read();
		const { settings, secrets } = read.kind === "unusable" ? { settings: {}, secrets: {} } : read.stored;
		const unavailable = await this.availability();
		const owner = this.owner();
		const { listensOn, windows } = this.#options;
		const { phoneNumberId } = settings;
		const windowUntil =
			owner === undefined || phoneNumberId === undefined
				? undefined
				: await windows?.until({ channel: this.channel, address: owner, number: String(phoneNumberId) });
		return {
			channel: this.channel,
			ready: unavailable === undefined,
			...(unavailable !== undefined && { unavailable }),
			...(owner !== undefined && { owner }),
			settings: { ...settings },
			secrets: Object.keys(secrets),
			webhooks: { ...(listensOn !== undefined && { listensOn }) },
			...(windowUntil !== undefined && { windowUntil }),
		};
	}

	async test(address: string, signal: AbortSignal): Promise<TestResult> {
		const ready = this.#account();
		if (ready.kind === "unready") {
			const { problem } = ready;
			return { ok: false, steps: [{ step: "settings", ok: false, message: problem.message }], problem };
		}
		return await testWhatsApp(ready.account, address, new WhatsAppRequests(ready.account, this.#options.limits ?? defaultLimits, signal));
	}

	#awaitsProof({ hasWebhookSecrets }: WhatsAppAccount): boolean {
		return this.#options.listensOn !== undefined && hasWebhookSecrets;
	}

	/**
	 * Says that the recipient's window is closed; undefined if it is open, or if the bridge never saw it open. The recipient may have written
	 * since without a report reaching the bridge, so a message that the user has reviewed, or that an earlier attempt handed over, is sent
	 * without this check, and WhatsApp decides.
	 */
	async #closedWindow(address: string, { phoneNumberId: number }: WhatsAppAccount): Promise<SendOutcome | undefined> {
		const { windows, clock } = this.#options;
		const until = await windows?.until({ channel: this.channel, address, number });
		if (until === undefined || Date.parse(until) > clock.now()) return undefined;
		return {
			kind: "held",
			code: "WINDOW_CLOSED",
			message:
				"The last message from the recipient that reached this bridge is more than 24 hours old, so WhatsApp is not expected to deliver this one.",
			fix: "If the recipient has written to your number since then, send the message, then check why their message didn't reach the bridge. Otherwise, ask the recipient to write first.",
		};
	}

	#account(): ReadAccount {
		const read = this.#options.read();
		return read.kind === "unusable" ? { kind: "unready", problem: read.problem } : readWhatsAppAccount(read.stored);
	}
}
