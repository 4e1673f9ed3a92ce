import { createHash, randomUUID } from "node:crypto";
import { type ChannelId, type InboxMessage, type LintFinding, type PayloadPart, Sha256, type Unavailable } from "@xworkmate/contracts";
import type { Attempt, Built, DeliveryChannel, HandOver, Message, SendOutcome } from "../../../src/ports/channels/channel.ts";
import type { Payload } from "../../../src/ports/plans/plan-event.ts";

/** One attempt, as the test plays it. */
export interface Scene {
	readonly handOver: HandOver;
	readonly signal: AbortSignal;
	/** The message is out: noted in the journal. */
	readonly leave: () => void;
}

export type Play = (scene: Scene) => Promise<SendOutcome>;

export const sends: Play = async ({ handOver, leave }) => {
	await handOver();
	leave();
	return { kind: "accepted", proof: "sent" };
};

/** A channel that does what the test says, and keeps a journal of what really left. */
export class ScriptedChannel implements DeliveryChannel {
	readonly channel: ChannelId;
	readonly constraints = "";
	/** The bytes of each message that left, oldest first. */
	readonly journal: string[] = [];
	/** Each attempt as it was announced, oldest first. */
	readonly attempts: Attempt[] = [];
	play: Play = sends;
	rendered = 0;
	problem: Unavailable | undefined;
	/** Settles before a message is built. */
	building: Promise<void> = Promise.resolve();
	readonly #asked = Promise.withResolvers<void>();

	constructor(channel: ChannelId = "email") {
		this.channel = channel;
	}

	/** Settles when a message is to be built. */
	get asked(): Promise<void> {
		return this.#asked.promise;
	}

	lint(_text: string): readonly LintFinding[] {
		return [];
	}

	contentProblem(): undefined {
		return undefined;
	}

	owner(): string {
		return "owner@example.org";
	}

	/** Every build has bytes of its own, as mail with its random boundaries has. */
	async render(message: Message): Promise<Built> {
		this.#asked.resolve();
		await this.building;
		this.rendered++;
		return { payload: payloadOf(this.channel, `${message.actionId} ${message.text} ${randomUUID()}`), parts: [], providerMessageId: "m" };
	}

	async partsOf({ bytes }: Payload): Promise<readonly PayloadPart[]> {
		const text = Buffer.from(bytes).toString();
		return [{ kind: "text", mediaType: "text/plain", text, bytes: bytes.length, sha256: payloadOf(this.channel, text).sha256 }];
	}

	async availability(): Promise<Unavailable | undefined> {
		return this.problem;
	}

	send(payload: Payload, handOver: HandOver, signal: AbortSignal, attempt: Attempt): Promise<SendOutcome> {
		this.attempts.push(attempt);
		const leave = () => void this.journal.push(Buffer.from(payload.bytes).toString());
		return this.play({ handOver, signal, leave });
	}

	view(): Promise<never> {
		return Promise.reject(new Error("nobody asks"));
	}

	test(): Promise<never> {
		return Promise.reject(new Error("nobody asks"));
	}
}

/** The bridge's own inbox. */
export class InboxChannel extends ScriptedChannel {
	constructor() {
		super("dashboard");
	}

	place({ actionId, planId, occurrenceId, title, at }: Message, { payload }: Pick<Built, "payload">): InboxMessage {
		if (actionId === undefined || planId === undefined || occurrenceId === undefined) throw new Error("of no plan");
		const text = Buffer.from(payload.bytes).toString();
		return { messageId: actionId, at, title, text, planId, occurrenceId, read: false };
	}
}

export function payloadOf(channel: ChannelId, text: string): Payload {
	const bytes = Buffer.from(text);
	const sha256 = Sha256.parse(createHash("sha256").update(bytes).digest("hex"));
	return { sha256, channel, mediaType: "text/plain", bytes, envelope: "{}" };
}
