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
import type { MessageNews } from "./channel-news.ts";
import type { Payload } from "./plan-event.ts";

/** A message before it is built. */
export interface Message {
	/** Absent: a preview of a message that no plan has made. */
	readonly actionId?: ActionId;
	readonly planId?: PlanId;
	readonly occurrenceId?: OccurrenceId;
	/** The plan's. */
	readonly title: string;
	readonly subject?: string;
	readonly text: string;
	/** Where it goes, as the channel writes it. */
	readonly address: string;
	/** The recipient's name; absent: the owner. */
	readonly name?: string;
	/** Files that go along, read from the bridge's own copies. */
	readonly files: readonly MessageFile[];
	/** The run that the files are of. */
	readonly runId?: RunId;
	/** Of the message's birth: a message built twice is the same bytes. */
	readonly at: Timestamp;
}

export interface MessageFile {
	readonly name: string;
	readonly mediaType: string;
	readonly bytes: Uint8Array;
}

export interface Built {
	readonly payload: Payload;
	/** As it will be read; of the very bytes of the payload. */
	readonly parts: readonly PayloadPart[];
	/** Its id at the channel, known before it is sent. */
	readonly providerMessageId?: string;
}

/** How an attempt ended. Everything that is not definite is `no_answer`. */
export type SendOutcome =
	| { readonly kind: "accepted"; readonly proof: DeliveryProof; readonly providerMessageId?: string; readonly awaitsProof?: true }
	/** It did not leave, and may later. */
	| { readonly kind: "passing"; readonly message: string; readonly retryAfterMs?: number }
	/** It did not leave, and a person has to mend something. */
	| { readonly kind: "held"; readonly code: ReviewCode; readonly message: string; readonly fix: string }
	/** It did not leave, and never will. */
	| { readonly kind: "refused"; readonly code: NotSentCode; readonly message: string; readonly fix: string }
	/** It may have left. */
	| { readonly kind: "no_answer"; readonly message: string };

/** A message whose outcome is not known. */
export interface Unsettled {
	readonly actionId: ActionId;
	/** The number of its last attempt, counted from 1. */
	readonly attempt: number;
	readonly since: Timestamp;
	readonly payload: Payload;
	readonly providerMessageId?: string;
}

/** Which attempt at which message is handed over: what a channel may carry along and gets back, or uses so that a repeat does no harm. */
export interface Attempt {
	readonly actionId: ActionId;
	/** Counted from 1. */
	readonly n: number;
}

/** Commits that the message is handed over from now on; throws if it must not be. Awaited before the first byte that could be a message. */
export type HandOver = () => Promise<void>;

/** One delivery channel. Knows nothing about plans except what a message carries. */
export interface DeliveryChannel {
	readonly channel: ChannelId;
	/** What the agent is told about it. */
	readonly constraints: string;
	/** What it objects to in a deliverable. Pure, and linear in its length. */
	lint(text: string): readonly LintFinding[];
	/** Why a text can never be sent here; undefined if it can. Pure. */
	contentProblem(text: string): string | undefined;
	/** The recipient if none is named: the channel's owner. */
	owner(): string | undefined;
	/** Builds the bytes, once; pure but for boundaries that are random. */
	render(message: Message): Promise<Built>;
	/** Why it can't be used now. */
	availability(): Promise<Unavailable | undefined>;
	/** Rejects only with what `handOver` threw. */
	send(payload: Payload, handOver: HandOver, signal: AbortSignal, attempt: Attempt): Promise<SendOutcome>;
	/** In place of `send`: the row of the bridge's own inbox that is the message, written in the commit that completes it. Pure. */
	place?(message: Message, built: Pick<Built, "payload">): InboxMessage;
	/**
	 * Asks the channel about a message whose outcome is unknown; undefined: the channel doesn't know either. Never rejects.
	 * `attempt` is what was handed over last, `since` when.
	 */
	settle?(attempt: Unsettled, signal: AbortSignal): Promise<MessageNews | undefined>;
	/** For `channels.list`. */
	view(): Promise<Channel>;
	/** One real message, step by step. */
	test(
		address: string,
		signal: AbortSignal,
	): Promise<{ readonly ok: boolean; readonly steps: readonly ChannelTestStep[]; readonly problem?: Unavailable }>;
}
