import type {
	ActionId,
	ChainHead,
	DeliveryAction,
	Occurrence,
	Plan,
	PlanId,
	PlanStatus,
	PlanUpdateBody,
	Sha256,
	Timestamp,
} from "@xworkmate/contracts";

/**
 * The bridge process that is sending an action, and the time until which no other process may, or until which an accepted message waits for
 * its confirmation.
 */
export interface Claim {
	/** The epoch of the bridge process; a later one takes over. */
	readonly epoch: number;
	readonly until: Timestamp;
	/** When the channel reported that it had passed the message on, if the message waits for more proof. */
	readonly saidAt?: Timestamp;
}

/** The state of an attempt at an action after an event: claimed, handed over, or over. */
export interface AttemptNote {
	readonly actionId: ActionId;
	/** The number of the attempt, counted from 1. */
	readonly n: number;
	/** The epoch of the claim; only a claim needs it. */
	readonly epoch?: number;
	readonly state: "claimed" | "handed_over" | "refused" | "done" | "unknown";
}

/** The user who decided, and the decision. `by` is always `person`. */
export interface Decided {
	readonly by: string;
	readonly decision: "send" | "edit" | "rerun" | "discard" | "sent" | "not_sent" | "cancel";
}

/** One fact about a plan: what readers see, and what only the bridge needs. */
export interface PlanEvent {
	readonly body: PlanUpdateBody;
	/** The claims of the occurrence's actions after the event. An action that is missing here has no claim. */
	readonly claims?: Readonly<Record<string, Claim>>;
	readonly attempt?: AttemptNote;
	/** The user's decision that caused the event. */
	readonly decided?: Decided;
	/** The request that made the occurrence. */
	readonly requestId?: string;
}

/** An event with its position in the plan's log. */
export interface PlacedPlanEvent {
	readonly seq: number;
	readonly at: Timestamp;
	/** The plan's status after the event. */
	readonly status: PlanStatus;
	readonly event: PlanEvent;
}

/** An event with its position among those of all plans. */
export interface FedPlanEvent extends PlacedPlanEvent {
	readonly planId: PlanId;
	readonly feedSeq: number;
}

/** An open occurrence, with the claims of its actions by actionId. */
export interface OpenOccurrence {
	readonly occurrence: Occurrence;
	readonly claims: Readonly<Record<string, Claim>>;
}

/** The state that results from all events of a plan's log. */
export interface PlanState {
	/** The plan as shown after the last `task:created` or `task:changed`. Its parts about occurrences date from that time. */
	readonly plan: Plan;
	readonly lastSeq: number;
	readonly nextDueAt?: Timestamp;
	/** The last scheduled time that came due. */
	readonly lastDueAt?: Timestamp;
	/** How many occurrences there have been. */
	readonly count: number;
	/** The occurrences that are not over, oldest first. */
	readonly open: readonly OpenOccurrence[];
	readonly newest?: Occurrence;
	/** The end of the plan's chain of receipts. Absent if there are none. */
	readonly receipts?: ChainHead;
}

/** The bytes that a channel hands over, built once. */
export interface Payload {
	/** Unique to this payload: the same bytes for another destination are refused. */
	readonly sha256: Sha256;
	readonly channel: DeliveryAction["channel"];
	readonly mediaType: string;
	readonly bytes: Uint8Array;
	/** What the channel needs in addition to the bytes, as JSON: an envelope. */
	readonly envelope: string;
}
