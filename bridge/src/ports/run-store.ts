import type { Artifact, RunId, RunStatus, Snapshot, TaskSummary, ThreadId, TurnId } from "@xworkmate/contracts";
import type { LogStore } from "./event-log.ts";
import type { Page } from "./page.ts";
import type { LoggedEvent } from "./run-event.ts";
import type { FrameForm, RunFrames } from "./run-frames.ts";
import type { RunFacts, RunRecord } from "./run-record.ts";
import type { PlacedStep } from "./run-step.ts";

/** What one run adds to the store in one commit. */
export interface RunAppend {
	readonly runId: RunId;
	/** Contiguous with what is stored; the first run event has seq 1. */
	readonly events: readonly LoggedEvent[];
	/** The run's summary after these events. */
	readonly summary: TaskSummary;
	/** Steps of its program, contiguous with what is stored. */
	readonly steps?: readonly PlacedStep[];
	/** Present with the terminal event, in the same transaction. Every accepted file, in manifest order. `text`: the snapshot as JSON. */
	readonly sealed?: {
		readonly snapshot: Snapshot;
		readonly text?: string;
		readonly artifacts: readonly Artifact[];
		/** Steps of its program may be stored: they are removed. */
		readonly hasSteps?: boolean;
	};
}

export type InsertRunResult = { readonly inserted: true } | { readonly inserted: false; readonly existing: RunRecord };

/** The logs of runs. Every write is one durable transaction; a sealed run accepts no more events. */
export interface RunLogStore extends LogStore<RunId, RunAppend> {
	/** Inserts the intent with its first events; (threadId, turnId) is unique, the first wins. */
	insertRun(record: RunRecord, append: RunAppend): Promise<InsertRunResult>;
	/** Events after a seq as readers are sent them, about a hundred at most; undefined if the next one has to be parsed, or if there is none. */
	readFrames(runId: RunId, afterSeq: number, form: FrameForm): Promise<RunFrames | undefined>;
}

/** A run without a terminal event, as far as a small row says. */
export interface UnfinishedRun {
	readonly runId: RunId;
	readonly threadId: ThreadId;
	readonly status: RunStatus;
	readonly lastSeq: number;
}

/** The intents of runs, and their progress. */
export interface RunStore {
	findRun(runId: RunId): Promise<RunRecord | undefined>;
	findTurn(threadId: ThreadId, turnId: TurnId): Promise<RunRecord | undefined>;
	/** Without the intent's input. */
	findFacts(run: { readonly runId: RunId } | { readonly threadId: ThreadId; readonly turnId: TurnId }): Promise<RunFacts | undefined>;
	/** The terminal snapshot as sealed. */
	sealedSnapshot(runId: RunId): Promise<Snapshot | undefined>;
	/** Runs that have no terminal event, oldest first; without their intents, whose prompts may be megabytes. */
	unfinishedRuns(): Promise<readonly UnfinishedRun[]>;
	/** Newest first. A cursor of another list or a damaged one throws ContractError INVALID_PARAMS. */
	listRuns(query: RunQuery): Promise<Page<TaskSummary>>;
}

export interface RunQuery {
	readonly threadId?: ThreadId | undefined;
	readonly status?: RunStatus | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}
