import type {
	ActionId,
	Channel,
	ChannelId,
	ChannelTestStep,
	DeliveryProof,
	InboxMessage,
	LintFinding,
	NotSentCode,
	OccurrenceId,
	PayloadPart,
	PlanId,
	ReviewCode,
	RunId,
	Timestamp,
	Unavailable,
} from "@xworkmate/contracts";
import type { Payload } from "../plans/plan-event.ts";
import type { MessageNews } from "./channel-news.ts";

/** A message before it is built. */
export interface Message {
	/** Absent in a preview of a message that does not belong to a plan. */
	readonly actionId?: ActionId;
	readonly planId?: PlanId;
	readonly occurrenceId?: OccurrenceId;
	/** The title of the plan. */
	readonly title: string;
	readonly subject?: string;
	readonly text: string;
	/** The destination, in the channel's form. */
	readonly address: string;
	/** The recipient's name. Absent for the owner. */
	readonly name?: string;
	/** Files to attach, read from the bridge's own copies. */
	readonly files: readonly MessageFile[];
	/** The run that did the work, and that the files belong to. */
	readonly runId?: RunId;
	/**
	 * When the occurrence was due, so that building the message twice gives the same bytes. In a preview without a plan, the current time.
	 */
	readonly at: Timestamp;
}

export interface MessageFile {
	readonly name: string;
	readonly mediaType: string;
	readonly bytes: Uint8Array;
}

export interface Built {
	readonly payload: Payload;
	/** The message as it will be read, derived from the bytes of the payload. */
	readonly parts: readonly PayloadPart[];
	/** The message's id at the channel, known before it is sent. */
	readonly providerMessageId?: string;
}

/** How an attempt ended. Every uncertain outcome is `no_answer`. */
export type SendOutcome =
	| {
			readonly kind: "accepted";
			readonly proof: DeliveryProof;
			readonly providerMessageId?: string;
			/** True if the channel may not have sent the message yet, and is expected to report its outcome. */
			readonly awaitsProof?: true;
			/** With `awaitsProof`: the reason why the channel has not sent the message yet, if the channel gives one. */
			readonly message?: string;
	  }
	/** The message did not leave, and may later. */
	| { readonly kind: "passing"; readonly message: string; readonly retryAfterMs?: number }
	/** The message did not leave, and the user has to fix something. */
	| { readonly kind: "held"; readonly code: ReviewCode; readonly message: string; readonly fix: string }
	/** The message did not leave, and never will. */
	| { readonly kind: "refused"; readonly code: NotSentCode; readonly message: string; readonly fix: string }
	/** The message may have left. */
	| { readonly kind: "no_answer"; readonly message: string };

/** A message whose outcome is not known. */
export interface Unsettled {
	readonly actionId: ActionId;
	/** The number of the last attempt, counted from 1. */
	readonly attempt: number;
	readonly since: Timestamp;
	readonly payload: Payload;
	readonly providerMessageId?: string;
}

/** Which attempt at which message is handed over. A channel may send this along and get it back, or use it to make a repeat harmless. */
export interface Attempt {
	readonly actionId: ActionId;
	/** Counted from 1. */
	readonly n: number;
	/** True if the user has reviewed exactly these bytes, or if an earlier attempt handed them over. */
	readonly isReviewed?: true;
}

/**
 * Commits that the hand-over begins now, and throws if the message must not leave. Must be awaited before the first byte that could be part
 * of a message is sent.
 */
export type HandOver = () => Promise<void>;

/** One delivery channel. Knows nothing about plans except what a message carries. */
export interface DeliveryChannel {
	readonly channel: ChannelId;
	/** What the agent's prompt says about the channel. */
	readonly constraints: string;
	/** The channel's objections to a deliverable. Pure, and takes time in proportion to its length. */
	lint(text: string): readonly LintFinding[];
	/** Why a text could never be sent here; undefined if it can. Pure. */
	contentProblem(text: string): string | undefined;
	/** The recipient if a message names none: the channel's owner. */
	owner(): string | undefined;
	/** Builds the bytes. The same message with the same settings always gives the same bytes. */
	render(message: Message): Promise<Built>;
	/**
	 * The message as its recipient reads it, derived from the bytes that `render` built.
	 * @throws for bytes that this channel did not build
	 */
	partsOf(payload: Payload): Promise<readonly PayloadPart[]>;
	/** Why the channel cannot be used now; undefined if it can. */
	availability(): Promise<Unavailable | undefined>;
	/** Makes one attempt. Rejects only with what `handOver` threw. */
	send(payload: Payload, handOver: HandOver, signal: AbortSignal, attempt: Attempt): Promise<SendOutcome>;
	/** Replaces `send` for the bridge's own inbox: returns the message as a row, which is written in the commit that completes it. Pure. */
	place?(message: Message, built: Pick<Built, "payload">): InboxMessage;
	/**
	 * Asks the channel about a message whose outcome is unknown; undefined if the channel does not know it either. Never rejects. `attempt`
	 * describes the last hand-over, with its time in `since`.
	 */
	settle?(attempt: Unsettled, signal: AbortSignal): Promise<MessageNews | undefined>;
	/** The channel as `channels.list` shows it. */
	view(): Promise<Channel>;
	/** Sends one real message, step by step. */
	test(
		address: string,
		signal: AbortSignal,
	): Promise<{ readonly ok: boolean; readonly steps: readonly ChannelTestStep[]; readonly problem?: Unavailable }>;
}
