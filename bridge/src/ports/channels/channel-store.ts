import type { ActionId, ChannelId, OccurrenceId, PlanId, Timestamp } from "@xworkmate/contracts";
import type { KeyedTold, Told } from "./channel-news.ts";

/** A report of a channel that has not been applied yet. Later reports have higher ids. */
export interface WaitingTold {
	readonly id: number;
	readonly receivedAt: Timestamp;
	readonly told: Told;
}

/** The place of a message: its plan, its occurrence and its action. */
export interface ActionAt {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	/** When the message was last handed over. */
	readonly handedOverAt?: Timestamp;
}

/** Stores what channels report unprompted, and what follows from it. Each call is durable once it resolves. */
export interface ChannelStore {
	/** Stores the reports that are new, either all of them or none. Returns how many there were. */
	keep(told: readonly KeyedTold[], receivedAt: Timestamp): Promise<number>;
	/** Reports that have not been applied, in the order in which they arrived. */
	waiting(limit: number, afterId?: number): Promise<readonly WaitingTold[]>;
	/** Marks reports as applied: from then on, only the fact that they arrived is remembered. */
	markHandled(ids: readonly number[]): Promise<void>;
	/** Forgets applied reports from before a time, at most `limit`. Returns how many there were. */
	forget(before: Timestamp, limit: number): Promise<number>;
	/** Finds a message of a channel by the bridge's own id. */
	findAction(actionId: ActionId, channel: ChannelId): Promise<ActionAt | undefined>;
	/** The newest message with this id at its channel. */
	findAtChannel(channel: ChannelId, providerMessageId: string): Promise<ActionAt | undefined>;
	/** The time until which free-form messages may be sent to an address; undefined if it is not known. */
	windowUntil(channel: ChannelId, address: string): Promise<Timestamp | undefined>;
	/** Records the time until which free-form messages may be sent to an address. Has no effect if a later time is known. */
	openWindow(channel: ChannelId, address: string, until: Timestamp): Promise<void>;
}
