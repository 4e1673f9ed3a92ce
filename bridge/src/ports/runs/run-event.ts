import type {
	AnswerSegments,
	Approval,
	Artifact,
	FailedCode,
	FoundFile,
	Grounding,
	InterruptedCode,
	Preview,
	Progress,
	Receipt,
	RejectedArtifact,
	RunCode,
	RunEdits,
	RunStatus,
	Sha256,
	TerminalStatus,
	Timestamp,
	Update,
} from "@xworkmate/contracts";
import type { StreamEvent } from "../event-log.ts";

/** How a provider's turn ended, as the provider saw it. */
export type ProviderOutcome =
	| { readonly kind: "ended" }
	/** `isRequest`: the failure is due to the request, such as an unknown model, so it does not show that the provider does not work. */
	| { readonly kind: "failed"; readonly code: FailedCode; readonly message: string; readonly isRequest?: true }
	/**
	 * `remote`: the turn was stopped on the provider's side. `incomplete`: a sentence that says what may still be running. `forced`: a
	 * sentence that says that the agent did not respond to the stop and was ended. `normalEnd`: a sentence that says that the agent reported
	 * the normal end of its turn instead of a stop.
	 */
	| {
			readonly kind: "cancelled";
			readonly remote: boolean;
			readonly incomplete?: string;
			readonly forced?: string;
			readonly normalEnd?: string;
	  }
	/** The outcome cannot be known. */
	| { readonly kind: "lost"; readonly code: InterruptedCode; readonly message: string };

/**
 * What an agent reports while it works. In the log, pieces of one message may be merged, and a reported call also has the tool and the risk
 * that its receipts state.
 */
export type ProviderUpdate = Extract<Update, { kind: "message_delta" | "thought_delta" | "tool_call" | "plan" | "usage" | "notice" }>;

/** How far receipts back an answer. `segments`: only if the bridge assembled it. */
export interface CheckedAnswer {
	readonly segments?: AnswerSegments;
	readonly grounding: Grounding;
}

/** What an agent requested, as receipts will state it: without secrets. */
export interface AskedWords {
	readonly words: string;
	readonly input?: Preview;
}

/** The accepted files of the run's scope. `items` and `rejected` hold at most `limits.snapshotItems`. */
export interface CollectedSummary {
	readonly items: readonly Artifact[];
	readonly count: number;
	readonly totalBytes: number;
	readonly digest: Sha256;
	readonly rejected: readonly RejectedArtifact[];
	readonly rejectedCount: number;
}

/** The bridge's findings about the files that an agent's messages name, when its run ended. */
export interface FilesFound {
	/** The state of each file, by the name that the messages use. A file without an entry could not be searched for. */
	readonly states: readonly (readonly [name: string, state: FoundFile])[];
	/** Files that were made or changed during the run and that the messages may mean, by their absolute paths. */
	readonly seen: readonly string[];
}

/** One fact about a run. Each is shown as exactly one session.update. */
export type RunEvent =
	| { readonly type: "accepted" }
	/** Not every place that the run had in the queue is recorded: the current one is computed on request. */
	| { readonly type: "queue_moved"; readonly position: number; readonly length: number }
	| { readonly type: "started"; readonly deadlineAt: Timestamp }
	/** `handedOver`: from here on the runtime may act. */
	| { readonly type: "progress"; readonly progress: Progress; readonly handedOver?: true }
	| { readonly type: "said"; readonly update: ProviderUpdate }
	/**
	 * A request or its outcome. `deadlineAt`: the deadline, extended by the time spent waiting. `asked`: the request as the receipt of the
	 * decision will describe it, without secrets; absent in logs of earlier bridges.
	 */
	| { readonly type: "approval"; readonly record: Approval; readonly deadlineAt?: Timestamp; readonly asked?: AskedWords }
	/** A step of a call, chained to the receipt before it. */
	| { readonly type: "receipt"; readonly receipt: Receipt }
	/** The answer was checked against the receipts. */
	| ({ readonly type: "answered" } & CheckedAnswer)
	| { readonly type: "cancel_requested" }
	| { readonly type: "deadline_moved"; readonly deadlineAt: Timestamp }
	| { readonly type: "provider_ended"; readonly outcome: ProviderOutcome }
	| { readonly type: "collected"; readonly artifacts: CollectedSummary }
	/**
	 * `isRequest`: as in the provider's outcome. `workedIn`: the folder that may contain what an interrupted run wrote. `edits`: the known
	 * changes in the folder where the run worked.
	 */
	| {
			readonly type: "ended";
			readonly status: TerminalStatus;
			readonly code?: RunCode;
			readonly message?: string;
			readonly isRequest?: true;
			readonly workedIn?: string;
			readonly edits?: RunEdits;
			readonly filesFound?: FilesFound;
	  };

/** An event of a run's log. */
export type LoggedEvent = StreamEvent<RunEvent, RunStatus>;
