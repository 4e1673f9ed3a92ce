import type { Artifact, RunId, RunStatus, Snapshot, TaskSummary, ThreadId, TurnId } from "@xworkmate/contracts";
import type { LogStore } from "../event-log.ts";
import type { Page } from "../page.ts";
import type { LoggedEvent } from "./run-event.ts";
import type { FrameForm, RunFrames } from "./run-frames.ts";
import type { RunFacts, RunRecord } from "./run-record.ts";
import type { PlacedStep } from "./run-step.ts";

/** What one run adds to the store in one commit. */
export interface RunAppend {
	readonly runId: RunId;
	/** Continues the stored events without a gap; the first event of a run has seq 1. */
	readonly events: readonly LoggedEvent[];
	/** The run's summary after these events. */
	readonly summary: TaskSummary;
	/** Steps of the run's program, which continue the stored ones without a gap. */
	readonly steps?: readonly PlacedStep[];
	/** Present with the terminal event, in the same transaction: every accepted file, in manifest order. `text`: the snapshot as JSON. */
	readonly sealed?: {
		readonly snapshot: Snapshot;
		readonly text?: string;
		readonly artifacts: readonly Artifact[];
		/** True if steps of the run's program may be stored; they are then removed. */
		readonly hasSteps?: boolean;
	};
}

export type InsertRunResult = { readonly inserted: true } | { readonly inserted: false; readonly existing: RunRecord };

/** The logs of runs. Every write is one durable transaction; a sealed run accepts no more events. */
export interface RunLogStore extends LogStore<RunId, RunAppend> {
	/** Inserts the intent with its first events. (threadId, turnId) is unique: the first insert wins. */
	insertRun(record: RunRecord, append: RunAppend): Promise<InsertRunResult>;
	/**
	 * Events after a seq in the form that is sent to readers, about a hundred at most. Undefined if the next event has to be parsed, or if
	 * there is none.
	 */
	readFrames(runId: RunId, afterSeq: number, form: FrameForm): Promise<RunFrames | undefined>;
}

/** Facts about a run without a terminal event, read from a small row. */
export interface UnfinishedRun {
	readonly runId: RunId;
	readonly threadId: ThreadId;
	readonly status: RunStatus;
	readonly lastSeq: number;
}

/** Reads the intents of runs, and their progress. */
export interface RunStore {
	findRun(runId: RunId): Promise<RunRecord | undefined>;
	findTurn(threadId: ThreadId, turnId: TurnId): Promise<RunRecord | undefined>;
	/** What identifies a run, without its input. */
	findFacts(run: { readonly runId: RunId } | { readonly threadId: ThreadId; readonly turnId: TurnId }): Promise<RunFacts | undefined>;
	/** The terminal snapshot as it was sealed; undefined if there is none yet. */
	sealedSnapshot(runId: RunId): Promise<Snapshot | undefined>;
	/** Runs that have no terminal event, oldest first. Their intents are left out, because prompts may be megabytes. */
	unfinishedRuns(): Promise<readonly UnfinishedRun[]>;
	/**
	 * Newest first.
	 * @throws ContractError INVALID_PARAMS for a cursor that is damaged or belongs to another list
	 */
	listRuns(query: RunQuery): Promise<Page<TaskSummary>>;
}

export interface RunQuery {
	readonly threadId?: ThreadId | undefined;
	readonly status?: RunStatus | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}
