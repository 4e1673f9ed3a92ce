import type { ArtifactScope, ResultCode, RunId, Snapshot, SubmitParams, ThreadId, TurnId } from "@xworkmate/contracts";
import type { StreamItem } from "./stream-item.ts";

/** What the app currently knows about a turn. */
export interface TurnPosition {
	readonly runId?: RunId;
	readonly artifactScope?: ArtifactScope;
	/** The last seq before the first gap. */
	readonly lastSeq: number;
	/** True if the user has requested a stop. */
	readonly cancelRequested: boolean;
}

export type Connection =
	/** `local`: the connection was fine, but the app could not save what the bridge reported. */
	| { readonly state: "lost"; readonly code: string; readonly message: string; readonly local?: true }
	/** The turn was begun by an earlier process, and the bridge has not yet reported the turn's current state. */
	| { readonly state: "unheard" }
	| { readonly state: "restored" };

export type UpdateItem = Extract<StreamItem, { type: "update" }>;

/** Receives what the transport reads, and stores the turn. */
export interface TurnSink {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	position(): TurnPosition;
	/** Receives updates in seq order, each once, all from this turn's run. */
	updates(items: readonly UpdateItem[]): void;
	/** Receives a snapshot that is not terminal: the handle of a queued or running turn. */
	handle(snapshot: Snapshot): void;
	connection(change: Connection): void;
}

/** The submit. It is repeated with the same parameters until the bridge has acknowledged the turn. */
export interface TurnSubmission {
	readonly params: SubmitParams;
	/** `session.start` unless an earlier turn of the thread has a run. */
	readonly method: "session.start" | "session.message";
}

export interface EndDetail {
	readonly code: string;
	readonly message: string;
	readonly fix?: string;
}

/** How the transport's work on a turn ended. */
export type TurnEnd =
	| { readonly kind: "terminal"; readonly snapshot: Snapshot }
	/** The turn was not accepted, so there is no run. */
	| { readonly kind: "refused"; readonly resultCode: ResultCode; readonly detail: EndDetail }
	/** The turn was cancelled before the bridge received it. */
	| { readonly kind: "unsent" }
	/** The bridge did not answer within the time for recovery, or asking again would not help; the run may still be active. */
	| { readonly kind: "lost"; readonly resultCode: ResultCode; readonly detail: EndDetail }
	/** The app is closing; the turn is resumed at the next start. */
	| { readonly kind: "stopped" };
