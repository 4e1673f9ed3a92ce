import type {
	Approval,
	Capabilities,
	Grounding,
	Lacking,
	Output,
	Routing,
	RunEdits,
	SessionUpdate,
	Snapshot,
	ThreadFolder,
	ThreadId,
	Timestamp,
	TurnId,
	Unpermitted,
	Verification,
	VerificationProgress,
} from "@xworkmate/contracts";
import type { Thread, Turn } from "../threads/domain/thread.ts";
import type { ThreadMarks } from "../threads/domain/thread-marks.ts";
import type { TurnRequest } from "../threads/domain/turn-record.ts";
import type { Functions } from "./method.ts";
import type { appMethods } from "./methods.ts";
import type { Finding, SetAsideFile, ThreadDetail } from "./ui-api.ts";

export type { AttachAgain, AttachmentInput, SendRequest } from "./params.ts";

/**
 * Everything that a surface (the command, the page) can ask of the app, derived from the table of methods. The app that owns the home
 * implements it, and so does the client of that app in another process.
 */
export type AppApi = Functions<typeof appMethods>;

export interface SentTurn {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
}

/** The code of a turn that an earlier process of the app left active, until the bridge reports the turn's state. */
export const RESUMED = "RESUMED";

/** The events that a watcher of a turn receives, in order; `ended` is the last. */
export type TurnEvent =
	| { readonly type: "update"; readonly update: SessionUpdate }
	/** The turn waits in the app's OpenClaw queue. Sent again whenever its position changes. */
	| ({ readonly type: "gatewayQueue" } & GatewayQueuePosition)
	/**
	 * The app does not know whether the run continues: the run's stream dropped (`code` says how), or this app has just started and the
	 * bridge has not answered yet (`RESUMED`). `bridgeEnded`: this app runs the bridge, and the bridge's process ended while the run was
	 * executing in it; if the app learns that only later, it sends the event again. `local`: the app could not save what the bridge reported.
	 */
	| { readonly type: "connection_lost"; readonly code: string; readonly bridgeEnded?: true; readonly local?: true }
	| { readonly type: "connection_restored" }
	| { readonly type: "syncing"; readonly files: number; readonly totalBytes: number }
	/**
	 * The turn has ended, and every file that could be saved was saved; or the turn is unresolved. `snapshot` is absent unless the bridge
	 * reported the end of a run.
	 */
	| ({ readonly type: "ended"; readonly turn: Turn; readonly thread: Thread; readonly snapshot?: Snapshot } & Replaced);

/** A line of an export of receipts; `ended` is the last. */
export type ExportLine = { readonly type: "line"; readonly text: string } | { readonly type: "ended" };

/** The progress of a verification; `ended`, with the result, is the last. */
export type VerificationLine =
	| ({ readonly type: "progress" } & VerificationProgress)
	| { readonly type: "ended"; readonly result: Verification };

/** The parts of a home that are verified, in this order. */
export type VerifiedPart = "databases" | "logs" | "storedFiles" | "changeRecords" | "threadFiles" | "receipts";

/** What a verification of the home finds; `ended` is the last. `of`, the total, is absent until it is known. */
export type HomeLine =
	| { readonly type: "progress"; readonly part: VerifiedPart; readonly done: number; readonly of?: number }
	| { readonly type: "finding"; readonly finding: Finding }
	| { readonly type: "ended" };

/**
 * `setAside`: files that no run delivered and that the run's files replaced in the folder, with where they are kept. Absent if there are
 * none.
 */
export interface Replaced {
	readonly setAside?: readonly SetAsideFile[];
}

/** `asOf` is present while contact with the active run is lost: it says when the run's state was last known. */
export interface StoredSince {
	readonly asOf?: Timestamp;
}

/** A file that is still missing, and why, in words that fit between parentheses. */
export interface LackingFile {
	readonly path: string;
	readonly message: string;
	/** Present if the item counts files whose paths are unknown, so that no download can fetch them. */
	readonly isUnlisted?: true;
}

/**
 * Files of earlier runs that were missing from the folder. `paths`: those that `sync` fetched again, each from the newest run that
 * delivered it.
 */
export interface BroughtBack {
	readonly paths: readonly string[];
	readonly lacking: readonly LackingFile[];
}

/** `setAside`: the files that this sync replaced. */
export interface SyncedThread extends Thread, Replaced {
	/** Files of the last run that had been saved, were missing from the folder, and have been restored. */
	readonly restored: readonly string[];
	/** Files of the last run that were already in the folder and were left unchanged. */
	readonly unchanged: readonly string[];
	/** Files of the last run that had been saved and are not in the folder now. Absent if there are none. */
	readonly gone?: readonly string[];
	/** Absent if these files were not checked, because the thread already had another run or was being deleted. */
	readonly broughtBack?: BroughtBack;
}

type TurnOrigin = NonNullable<TurnRequest["origin"]>;

/** The messages that are queued in a thread. Absent if there are none, or if the app was started by an earlier version. */
export type QueueOfThread = Partial<Pick<ThreadDetail, "queued" | "queueHeld" | "removed">>;

/** A thread in a list. `origin`: who started the thread, if it was not this app. */
export interface StoredThread extends Thread, ThreadMarks, StoredSince, QueueOfThread {
	readonly origin?: TurnOrigin;
	/** What is missing from the newest run. */
	readonly lacking?: Lacking;
	/** How many commands the newest run reported as failed and did not then repeat successfully. Absent if there are none. */
	readonly failedCommands?: number;
	/** The most serious way in which the newest run made a call without permission. Absent if it made none. */
	readonly unpermitted?: Unpermitted;
}

/** What is deleted with a thread. */
export interface ThreadDeletionView {
	/** How many of the thread's turns the bridge accepted as runs. Absent from an app of an earlier version. */
	readonly runs?: number;
	/**
	 * Runs that stay, because they are at another bridge than the one that the app asks: at the addresses and, if `own`, at the bridge of the
	 * app's own home.
	 */
	readonly elsewhere?: { readonly runs: number; readonly addresses: readonly string[]; readonly own?: true };
	/** Present if a run was on an OpenClaw gateway, which keeps its own copy of the conversation and of the run's files. */
	readonly onGateway?: true;
	/** The thread's folder in the home, and how many files it has, including the runs' saved files. */
	readonly folder: { readonly path: string; readonly files: number; readonly more?: true };
	/** The folders on the bridge's computer. Absent if the bridge can't be reached or does not report them. */
	readonly atBridge?: readonly ThreadFolder[];
}

export interface ShownThread extends StoredSince, QueueOfThread {
	readonly thread: Thread;
	readonly prompts: Readonly<Record<TurnId, string>>;
	/** The answer of each ended run that produced one. */
	readonly answers: Readonly<Record<TurnId, Output>>;
	/**
	 * What the active run has answered so far. Absent if the run has not answered anything yet, or the app was started by an earlier version.
	 */
	readonly soFar?: Readonly<Record<TurnId, Output>>;
	/** How far each answer that was checked is backed by receipts. Absent from an app that was started by an earlier version. */
	readonly groundings?: Readonly<Record<TurnId, Grounding>>;
	/** What is missing from each run that lacks something. Absent from an app that was started by an earlier version. */
	readonly lacking?: Readonly<Record<TurnId, Lacking>>;
	/**
	 * The commands that each run reported as failed and did not then repeat successfully. Absent from an app that was started by an earlier
	 * version.
	 */
	readonly failedCommands?: Readonly<Record<TurnId, readonly string[]>>;
	/**
	 * For each run with a call made without permission, as its agent reports or its files show: whether the request was denied (`found`: the
	 * file contains the denied edit), was not answered, or was for another command. Absent from an app that was started by an earlier
	 * version.
	 */
	readonly unpermitted?: Readonly<Record<TurnId, Unpermitted>>;
	/**
	 * The command that was allowed and the one that the agent reports, for each call where they differ. Absent for the same reason as
	 * `unpermitted`.
	 */
	readonly swapped?: Readonly<Record<TurnId, readonly string[]>>;
	/**
	 * For each run, a line for each call that the user allowed and whose end the agent never reported. After five of them, a line counts the
	 * others. Absent for the same reason as `unpermitted`.
	 */
	readonly leftOpen?: Readonly<Record<TurnId, readonly string[]>>;
	/**
	 * Each run whose agent reports an edit, a move or a deletion that did not happen. Absent from an app that was started by an earlier
	 * version.
	 */
	readonly contradicted?: Readonly<Record<TurnId, true>>;
	/**
	 * For each run, the edits, moves and deletions that its agent reports but that the files contradict, in the page's words. Absent for the
	 * same reason as `contradicted`.
	 */
	readonly contradictedCalls?: Readonly<Record<TurnId, readonly string[]>>;
	/** The known changes in the folder where each run worked. Absent from an app that was started by an earlier version. */
	readonly edits?: Readonly<Record<TurnId, RunEdits>>;
	/**
	 * The project folder of the thread's last message that was not refused, and whether its run works in a worktree. Absent if the message
	 * has no project folder, or the app was started by an earlier version.
	 */
	readonly place?: { readonly workingDirectory: string; readonly worktree?: true };
	/**
	 * The agent and the model of the thread's last message that was not refused. Absent without such a message, or if the app was started by
	 * an earlier version.
	 */
	readonly agent?: Routing;
	/** Who started each run that this app did not send. Absent from an app that was started by an earlier version. */
	readonly origins?: Readonly<Record<TurnId, TurnOrigin>>;
	/** How many files the bridge collected for each ended run that had any. Absent from an app that was started by an earlier version. */
	readonly collected?: Readonly<Record<TurnId, number>>;
	readonly folder: string;
	/** The position of the thread's turn in the app's OpenClaw queue; absent if no turn is waiting there. */
	readonly gatewayQueue?: GatewayQueuePosition;
}

/** From `acp.capabilities`, limits.openclaw: how many runs may be active at a time, and how many turns may wait. */
export type GatewayQueueLimits = Capabilities["limits"]["openclaw"];

/** Why the queue is paused: the bridge or its gateway is unavailable. */
export interface QueuePause {
	readonly code: string;
	readonly message: string;
	readonly fix?: string;
}

/** The position of a waiting turn, as shown to the user. */
export interface GatewayQueuePosition {
	/** The next turn has position 1. */
	readonly position: number;
	/** How many turns are waiting. */
	readonly length: number;
	readonly paused?: QueuePause;
}

/** The app's OpenClaw queue (docs/protocol.md#openclaw-queue). */
export interface GatewayQueueView {
	readonly limits: GatewayQueueLimits;
	/** Turns that hold a slot: submitted and not ended. */
	readonly active: readonly SentTurn[];
	/** Waiting turns, in first-come, first-served order. */
	readonly waiting: readonly SentTurn[];
	/** Present while the queue is paused: why no waiting turn is being sent. */
	readonly paused?: QueuePause;
}

/** Maximum number of threads in a list. */
export const LISTED_THREADS = 500;

/** Maximum number of runs in a list. */
export const LISTED_RUNS = 10_000;

/** A request or a grant, with the title of its thread if the app has that thread. */
export type ListedApproval = Approval & { readonly threadTitle?: string };

/** The record as it is now. `applied`: whether this call made the decision. */
export interface DecidedApproval {
	readonly record: Approval;
	readonly applied: boolean;
}

/** What deleting a thread removed. */
export interface DeletedThread {
	readonly deletedRuns: number;
	readonly freedBytes: number;
	/** The branch of the thread's worktree, if it has commits of its own and is therefore kept. */
	readonly keptBranch?: string;
	/** The thread's folder on this machine, if it had one. */
	readonly folder?: string;
}
