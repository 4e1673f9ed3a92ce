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

/** Who is sending an action, and until when no one else may. */
export interface Claim {
	/** The number of the bridge's start; a later one takes over. */
	readonly epoch: number;
	readonly until: Timestamp;
}

/** An attempt at an action as of an event: claimed, handed over, or over. */
export interface AttemptNote {
	readonly actionId: ActionId;
	/** 1 for the first. */
	readonly n: number;
	/** Of the claim; only a claim needs it. */
	readonly epoch?: number;
	readonly state: "claimed" | "handed_over" | "refused" | "done" | "unknown";
}

/** Who decided what. `by`: `person`. */
export interface Decided {
	readonly by: string;
	readonly decision: "send" | "edit" | "rerun" | "discard" | "sent" | "not_sent" | "cancel";
}

/** One fact about a plan: what readers are told, and what only the bridge needs. */
export interface PlanEvent {
	readonly body: PlanUpdateBody;
	/** The claims of the occurrence's actions after it; an action that is absent has none. */
	readonly claims?: Readonly<Record<string, Claim>>;
	readonly attempt?: AttemptNote;
	/** A person's decision, of which it is the result. */
	readonly decided?: Decided;
	/** The request that made the occurrence. */
	readonly requestId?: string;
}

/** An event with its place in the plan's log. */
export interface PlacedPlanEvent {
	readonly seq: number;
	readonly at: Timestamp;
	/** The plan's, after it. */
	readonly status: PlanStatus;
	readonly event: PlanEvent;
}

/** An event with its place among those of all plans. */
export interface FedPlanEvent extends PlacedPlanEvent {
	readonly planId: PlanId;
	readonly feedSeq: number;
}

/** An open occurrence with the claims of its actions, by actionId. */
export interface OpenOccurrence {
	readonly occurrence: Occurrence;
	readonly claims: Readonly<Record<string, Claim>>;
}

/** What a plan's log folds to. */
export interface PlanState {
	/** As shown after the last `task:created` or `task:changed`; its parts about occurrences are those of that time. */
	readonly plan: Plan;
	readonly lastSeq: number;
	readonly nextDueAt?: Timestamp;
	/** The last scheduled time that has come. */
	readonly lastDueAt?: Timestamp;
	/** How many occurrences there have been. */
	readonly count: number;
	/** Those that are not over, oldest first. */
	readonly open: readonly OpenOccurrence[];
	readonly newest?: Occurrence;
	/** The end of the chain of its receipts; absent: there are none. */
	readonly receipts?: ChainHead;
}

/** The bytes that a channel hands over, built once. */
export interface Payload {
	/** No other payload has it: bytes that are alike but go elsewhere are refused. */
	readonly sha256: Sha256;
	readonly channel: DeliveryAction["channel"];
	readonly mediaType: string;
	readonly bytes: Uint8Array;
	/** What the channel needs besides the bytes, as JSON: an envelope. */
	readonly envelope: string;
}
