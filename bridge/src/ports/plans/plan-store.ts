import type {
	ActionId,
	ChannelId,
	DeliveryStage,
	DeliveryStatus,
	InboxMessage,
	Occurrence,
	OccurrenceId,
	Plan,
	PlanId,
	PlanStatus,
	RequestId,
	Sha256,
	Timestamp,
} from "@xworkmate/contracts";
import type { Page } from "../page.ts";
import type { FedPlanEvent, Payload, PlacedPlanEvent, PlanState } from "./plan-event.ts";

/** What one plan adds to the store in one commit. */
export interface PlanAppend {
	readonly planId: PlanId;
	/** Continues the stored events without a gap. */
	readonly events: readonly PlacedPlanEvent[];
	/** The plan's state after these events. */
	readonly state: PlanState;
	/** The plan as shown after these events. */
	readonly view: Plan;
	/** The epoch of the bridge process that writes this. If there is a higher one, a later process has taken over. */
	readonly epoch: number;
	/** Only with the first event: the request that made the plan, and the hash of its input. */
	readonly made?: { readonly requestId: RequestId; readonly inputHash: Sha256 };
	/** Built messages that the events refer to. */
	readonly payloads?: readonly Payload[];
	/** Rows of the dashboard's inbox. */
	readonly inbox?: readonly InboxMessage[];
}

/** `behind`: another commit of the plan came first, so the caller has to read the plan and decide again. */
export type AppendResult = { readonly kind: "appended"; readonly events: readonly FedPlanEvent[] } | { readonly kind: "behind" };

/** A message that can be claimed, or that a claim holds. */
export interface ActionRow {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	readonly channel: ChannelId;
	/** The channel and the recipient. In each lane, one message is sent at a time, the oldest first. */
	readonly lane: string;
	readonly status: DeliveryStatus;
	readonly stage?: DeliveryStage;
	readonly notBefore?: Timestamp;
	readonly leaseUntil?: Timestamp;
	readonly epoch?: number;
}

export interface PlanStore {
	/** Returns a number higher than all earlier ones. From here on, writes with a lower one are refused. */
	beginEpoch(at: Timestamp): Promise<number>;
	/**
	 * Writes in one durable transaction: events, the state that results from them, and the views of both (occurrences, actions, attempts).
	 * Concurrent calls may share a transaction; each gets its own result, in the order of the calls. The result for a new plan is also
	 * `behind` if its id or its request is taken.
	 *
	 * @throws StoreError STORE_REFUSED for a stale epoch, for a second hand-over of an action whose earlier one has no recorded refusal, or
	 * for a change to a finished occurrence; APPEND_INVALID, EVENT_GAP
	 */
	append(append: PlanAppend): Promise<AppendResult>;
	/** Does the same as `append` for several plans: appends for all of them or for none, and returns `behind` if one of them is. */
	appendAll(batch: readonly PlanAppend[]): Promise<AppendResult>;
	/** The state that results from a plan's log; undefined if there is no such plan. */
	find(planId: PlanId): Promise<PlanState | undefined>;
	findByRequest(requestId: RequestId): Promise<{ readonly planId: PlanId; readonly inputHash: Sha256 } | undefined>;
	/** The occurrence that a request created for a plan. */
	findOccurrenceByRequest(planId: PlanId, requestId: RequestId): Promise<Occurrence | undefined>;
	/** Finds an occurrence, whether open or over. */
	findOccurrence(occurrenceId: OccurrenceId): Promise<Occurrence | undefined>;
	/** How many plans there are, not counting deleted ones. */
	countPlans(): Promise<number>;
	/** Plans, newest first, without deleted ones unless the status selects them. */
	list(query: PlanQuery): Promise<Page<PlanState>>;
	/**
	 * Occurrences that failed or were cancelled, so that some of their messages may not have been sent; oldest first. Leaves out those of
	 * deleted plans.
	 */
	failedOccurrences(limit: number, after?: OccurrenceId): Promise<readonly Occurrence[]>;
	/** The occurrences of a plan, newest first. */
	occurrences(planId: PlanId, limit: number, cursor?: string): Promise<Page<Occurrence>>;
	/** Plans that are next due at or before a given time, the earliest first, at most `limit`. */
	due(at: Timestamp, limit: number): Promise<readonly PlanId[]>;
	/** The earliest time at which any plan is next due. */
	nextDueAt(): Promise<Timestamp | undefined>;
	/** Plans with an occurrence that is not over, including those that wait for the user; oldest first. */
	openPlans(limit: number, after?: PlanId): Promise<readonly PlanId[]>;
	/**
	 * The oldest pending message of each lane that may be sent at this time, at most `limit`. Leaves out lanes in which a message is claimed,
	 * and occurrences that are still being worked on.
	 */
	claimable(at: Timestamp, limit: number): Promise<readonly ActionRow[]>;
	/**
	 * The earliest time at which a message of a free lane may be sent or a lease expires; a time long ago if a message may be sent at once.
	 */
	nextActionAt(): Promise<Timestamp | undefined>;
	/** Messages that are claimed or being handed over by another epoch, or whose lease had expired at this time. */
	abandoned(epoch: number, at: Timestamp): Promise<readonly ActionRow[]>;
	/** Does the same as `claimable` for one lane: all messages that may be sent at this time, the oldest first, at most `limit`. */
	claimableOf(lane: string, at: Timestamp, limit: number): Promise<readonly ActionRow[]>;
	/**
	 * `left`: how many messages of a channel were sent since a time, or may have been. `claimed`: how many are claimed, so that it is not
	 * known yet whether they will be sent. A message that was refused was not sent.
	 */
	leftSince(channel: ChannelId, since: Timestamp): Promise<{ readonly left: number; readonly claimed: number }>;
	/**
	 * Tells whether another plan has sent the same text to the same lane since a time: `unknown` if it may have, because a message is being
	 * handed over, is not confirmed yet, or has an unknown outcome; undefined if it has not. A message that was refused was not sent.
	 * `contentHash`: sha256 of the text.
	 */
	sameSince(lane: string, contentHash: Sha256, planId: PlanId, since: Timestamp): Promise<"sent" | "unknown" | undefined>;
	/** Events of a plan after a seq, in order. */
	readEvents(query: { readonly planId: PlanId; readonly afterSeq: number; readonly limit: number }): Promise<readonly FedPlanEvent[]>;
	/** Events of one plan, or of all, after a feedSeq, in order. */
	readFeed(query: { readonly planId?: PlanId; readonly afterFeedSeq: number; readonly limit: number }): Promise<readonly FedPlanEvent[]>;
	/** The last feedSeq; 0 if there is none. */
	lastFeedSeq(): Promise<number>;
	payload(sha256: Sha256): Promise<Payload | undefined>;
	inbox(query: InboxQuery): Promise<Page<InboxMessage> & { readonly unread: number }>;
	/** Marks messages as read or unread. Returns how many are unread. */
	mark(messageIds: readonly string[], read: boolean): Promise<number>;
}

export interface PlanQuery {
	readonly status?: PlanStatus | undefined;
	readonly needsReview?: boolean | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}

export interface InboxQuery {
	readonly unread?: boolean | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}
