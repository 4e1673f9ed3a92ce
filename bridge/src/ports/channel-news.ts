import type { ActionId, ChannelId, DeliveryProof, NotSentCode, ReviewCode, Timestamp } from "@xworkmate/contracts";

/** What a channel says about a message after its attempt is over: by a webhook, or because it was asked. */
export type MessageNews =
	| { readonly kind: "proved"; readonly proof: DeliveryProof }
	/** It did not arrive, and never will. */
	| { readonly kind: "failed"; readonly code: NotSentCode; readonly message: string; readonly fix: string }
	/** It did not arrive, and a person has to mend something. */
	| { readonly kind: "held"; readonly code: ReviewCode; readonly message: string; readonly fix: string };

/** News of one message. It is named by the channel's own id, or by ours if the channel gave ours back. */
export interface ChannelNews {
	readonly channel: ChannelId;
	readonly providerMessageId?: string;
	/** What was sent along with the message and came back: the action, and the attempt if that was said too. */
	readonly ours?: { readonly actionId: ActionId; readonly attempt?: number };
	readonly at: Timestamp;
	readonly news: MessageNews;
}

/** Until when an address may be written to freely, because it has written to us. */
export interface ReplyWindows {
	/** Absent: it has never written to us, as far as is known. */
	until(channel: ChannelId, address: string): Promise<Timestamp | undefined>;
	/** The address wrote to us at this time. Durable once this resolves. */
	note(channel: ChannelId, address: string, at: Timestamp): Promise<void>;
}

/** What a channel tells us of its own accord. `reply`: an address wrote to us; what it wrote is kept nowhere. */
export type Told =
	| { readonly kind: "news"; readonly news: ChannelNews }
	| { readonly kind: "reply"; readonly channel: ChannelId; readonly address: string; readonly at: Timestamp };

/** What was told, under a key of what it says: it is taken once, however often it is told. */
export interface KeyedTold {
	readonly key: string;
	readonly told: Told;
}

/** What the listener for webhooks needs of a channel whose service calls us. */
export interface WebhookDoor {
	/** As of now; absent: no one is let in. */
	secrets(): { readonly appSecret?: string; readonly verifyToken?: string };
	/** Takes a call whose signature is right. What it says is durable once this resolves. @throws the store's error */
	take(body: unknown): Promise<void>;
}
