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
import type { Page } from "./page.ts";
import type { FedPlanEvent, Payload, PlacedPlanEvent, PlanState } from "./plan-event.ts";

/** What one plan adds to the store in one commit. */
export interface PlanAppend {
	readonly planId: PlanId;
	/** Contiguous with what is stored. */
	readonly events: readonly PlacedPlanEvent[];
	/** The fold after them. */
	readonly state: PlanState;
	/** The plan as it is shown after them. */
	readonly view: Plan;
	/** Of the bridge that writes it; a later one has taken over if there is a higher one. */
	readonly epoch: number;
	/** With the first event: the request that made the plan, and the hash of its input. */
	readonly made?: { readonly requestId: RequestId; readonly inputHash: Sha256 };
	/** Built messages that are handed over from now on. */
	readonly payloads?: readonly Payload[];
	/** Rows of the dashboard's inbox. */
	readonly inbox?: readonly InboxMessage[];
}

/** `behind`: another commit of the plan came first; read it again and decide again. */
export type AppendResult = { readonly kind: "appended"; readonly events: readonly FedPlanEvent[] } | { readonly kind: "behind" };

/** A message that can be claimed, or is in someone's hands. */
export interface ActionRow {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	readonly channel: ChannelId;
	/** Channel and recipient: one message at a time, the oldest first. */
	readonly lane: string;
	readonly status: DeliveryStatus;
	readonly stage?: DeliveryStage;
	readonly notBefore?: Timestamp;
	readonly leaseUntil?: Timestamp;
	readonly epoch?: number;
}

export interface PlanStore {
	/** A number higher than all before; writes with a lower one are refused from here on. */
	beginEpoch(at: Timestamp): Promise<number>;
	/**
	 * Writes in one durable transaction: events, their fold, and the views of both (occurrences, actions, attempts). What several ask for at the
	 * same time may share a transaction; each is answered for itself, in the order in which they asked.
	 * `behind` too for a plan that is made, if its id or its request is taken.
	 *
	 * @throws StoreError STORE_REFUSED for a stale epoch, a second hand-over of an action whose earlier one has no recorded refusal, or a
	 * change of what is over; APPEND_INVALID, EVENT_GAP
	 */
	append(append: PlanAppend): Promise<AppendResult>;
	/** As `append`, for several plans; all or none, `behind` if any is. */
	appendAll(batch: readonly PlanAppend[]): Promise<AppendResult>;
	/** The fold of a plan's log. */
	find(planId: PlanId): Promise<PlanState | undefined>;
	findByRequest(requestId: RequestId): Promise<{ readonly planId: PlanId; readonly inputHash: Sha256 } | undefined>;
	/** The occurrence that a request made, of a plan. */
	findOccurrenceByRequest(planId: PlanId, requestId: RequestId): Promise<Occurrence | undefined>;
	/** Open or over. */
	findOccurrence(occurrenceId: OccurrenceId): Promise<Occurrence | undefined>;
	/** Without deleted ones. */
	countPlans(): Promise<number>;
	/** Newest first; without deleted ones unless the status asks for them. */
	list(query: PlanQuery): Promise<Page<PlanState>>;
	/** Newest first. */
	occurrences(planId: PlanId, limit: number, cursor?: string): Promise<Page<Occurrence>>;
	/** Plans whose next time is at or before one, the earliest first, at most `limit`. */
	due(at: Timestamp, limit: number): Promise<readonly PlanId[]>;
	/** The earliest next time of any plan. */
	nextDueAt(): Promise<Timestamp | undefined>;
	/** Plans that have an occurrence that is not over, those that wait for a person included; oldest first. */
	openPlans(limit: number, after?: PlanId): Promise<readonly PlanId[]>;
	/**
	 * Of each lane the oldest pending message that may be sent at this time, at most `limit`; none of a lane in which one is in someone's
	 * hands, and none of an occurrence that is still being worked on.
	 */
	claimable(at: Timestamp, limit: number): Promise<readonly ActionRow[]>;
	/** The earliest time at which a message of a free lane may be sent, or a lease has expired; long ago if one may be sent at once. */
	nextActionAt(): Promise<Timestamp | undefined>;
	/** Messages in someone's hands (claimed or being handed over): of another epoch, or whose lease was over at this time. */
	abandoned(epoch: number, at: Timestamp): Promise<readonly ActionRow[]>;
	/** As `claimable`, of one lane: all that may be sent at this time, the oldest first, at most `limit`. */
	claimableOf(lane: string, at: Timestamp, limit: number): Promise<readonly ActionRow[]>;
	/** How many messages of a channel were handed over since, or are claimed and may be at any moment. */
	leftSince(channel: ChannelId, since: Timestamp): Promise<number>;
	/** An action of another plan that carried the same text to the same lane since, and was not refused. `contentHash`: sha256 of the text. */
	sameSince(lane: string, contentHash: Sha256, planId: PlanId, since: Timestamp): Promise<ActionId | undefined>;
	/** Of a plan, after a seq; in order. */
	readEvents(query: { readonly planId: PlanId; readonly afterSeq: number; readonly limit: number }): Promise<readonly FedPlanEvent[]>;
	/** Of one plan, or of all, after a feedSeq; in order. */
	readFeed(query: { readonly planId?: PlanId; readonly afterFeedSeq: number; readonly limit: number }): Promise<readonly FedPlanEvent[]>;
	/** The last feedSeq; 0 if there is none. */
	lastFeedSeq(): Promise<number>;
	payload(sha256: Sha256): Promise<Payload | undefined>;
	inbox(query: InboxQuery): Promise<Page<InboxMessage> & { readonly unread: number }>;
	/** Returns how many are unread. */
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
