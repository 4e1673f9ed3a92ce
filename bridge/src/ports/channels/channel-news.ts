import type { ActionId, ChannelId, DeliveryProof, NotSentCode, ReviewCode, Timestamp } from "@xworkmate/contracts";

/** What a channel reports about a message after its attempt is over, by webhook or on request. */
export type MessageNews =
	| { readonly kind: "proved"; readonly proof: DeliveryProof }
	/** The message did not arrive, and never will. */
	| { readonly kind: "failed"; readonly code: NotSentCode; readonly message: string; readonly fix: string }
	/** The message did not arrive, and the user has to fix something. */
	| { readonly kind: "held"; readonly code: ReviewCode; readonly message: string; readonly fix: string };

/** A report about one message, identified by the channel's id, or by the bridge's own if the channel returned it. */
export interface ChannelNews {
	readonly channel: ChannelId;
	readonly providerMessageId?: string;
	/** The bridge's own id, which was sent with the message and returned by the channel: the action, and the attempt if that was included. */
	readonly ours?: { readonly actionId: ActionId; readonly attempt?: number };
	readonly at: Timestamp;
	readonly news: MessageNews;
}

/** An address that wrote to the user, and the user's number that it wrote to: the user's other numbers may not write to it. */
export interface Correspondent {
	readonly channel: ChannelId;
	readonly address: string;
	/** The channel's id of the user's number. Absent if it is not known. */
	readonly number?: string;
}

/** The time until which free-form messages may be sent to an address, because it has written to the user. */
export interface ReplyWindows {
	/** Undefined if the address is not known to have written to that number. */
	until(who: Correspondent): Promise<Timestamp | undefined>;
	/** Records that the address wrote to the user at this time. Durable once this resolves. */
	note(who: Correspondent, at: Timestamp): Promise<void>;
}

/** What a channel reports unprompted. `reply`: a message from this address to the user; the text is not stored. */
export type Told =
	| { readonly kind: "news"; readonly news: ChannelNews }
	| (Correspondent & { readonly kind: "reply"; readonly at: Timestamp });

/** A report, with a key made from its content: the report is stored once, no matter how often it arrives. */
export interface KeyedTold {
	readonly key: string;
	readonly told: Told;
}

/** What the webhook listener needs from a channel whose service calls the bridge. */
export interface WebhookDoor {
	/** The current secrets. While they are absent, no call is accepted. */
	secrets(): { readonly appSecret?: string; readonly verifyToken?: string };
	/**
	 * Takes a call with a valid signature. Its content is durable once this resolves.
	 * @throws the store's error
	 */
	take(body: unknown): Promise<void>;
}
