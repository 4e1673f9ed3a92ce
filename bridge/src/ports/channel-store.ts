import type { ActionId, ChannelId, OccurrenceId, PlanId, Timestamp } from "@xworkmate/contracts";
import type { KeyedTold, Told } from "./channel-news.ts";

/** News from a channel that has not been applied yet. `id` rises. */
export interface WaitingTold {
	readonly id: number;
	readonly receivedAt: Timestamp;
	readonly told: Told;
}

/** Where a message is. */
export interface ActionAt {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	/** When it was last handed over. */
	readonly handedOverAt?: Timestamp;
}

/** What channels say of their own accord, and what follows of it. Each call is durable once it resolves. */
export interface ChannelStore {
	/** Stores what is told for the first time; all of it or none. Returns how much that is. */
	keep(told: readonly KeyedTold[], receivedAt: Timestamp): Promise<number>;
	/** What has no effect yet, in the order in which it was told. */
	waiting(limit: number, afterId?: number): Promise<readonly WaitingTold[]>;
	/** It has its effect: only that it was told is remembered. */
	markHandled(ids: readonly number[]): Promise<void>;
	/** Forgets what has its effect and was told before a time, at most `limit` of it. Returns how much that was. */
	forget(before: Timestamp, limit: number): Promise<number>;
	/** A message of a channel by our id of it. */
	findAction(actionId: ActionId, channel: ChannelId): Promise<ActionAt | undefined>;
	/** The newest message that has this id at its channel. */
	findAtChannel(channel: ChannelId, providerMessageId: string): Promise<ActionAt | undefined>;
	/** Until when an address may be written to; undefined: nothing is known about it. */
	windowUntil(channel: ChannelId, address: string): Promise<Timestamp | undefined>;
	/** An earlier time than the one that is known changes nothing. */
	openWindow(channel: ChannelId, address: string, until: Timestamp): Promise<void>;
}
