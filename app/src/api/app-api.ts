import type { Approval, Capabilities, Output, SessionUpdate, Snapshot, ThreadId, Timestamp, TurnId } from "@xworkmate/contracts";
import type { Thread, Turn } from "../threads/domain/thread.ts";
import type { Functions } from "./method.ts";
import type { appMethods } from "./methods.ts";
import type { SetAsideFile } from "./ui-api.ts";

export type { AttachAgain, AttachmentInput, SendRequest } from "./params.ts";

/**
 * Everything a surface (command, page) asks of the app, as the table of methods has it. Implemented by the app that owns
 * the home, and by the client of such an app in another process.
 */
export type AppApi = Functions<typeof appMethods>;

export interface SentTurn {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
}

/** The code of a turn that an earlier process of the app left, until the bridge has said how it is. */
export const RESUMED = "RESUMED";

/** What a watcher of a turn sees, in order; `ended` is the last. */
export type TurnEvent =
	| { readonly type: "update"; readonly update: SessionUpdate }
	/** The turn waits in the app's OpenClaw queue; again whenever its place changes. */
	| ({ readonly type: "gatewayQueue" } & GatewayQueuePosition)
	/**
	 * Whether the run continues is not known from here: its stream dropped (`code` says how), or this app has just started
	 * and the bridge has not said yet (`RESUMED`). `bridgeEnded`: the bridge's process, which this app runs, is gone, and
	 * the run was executing in it. Again when that becomes known.
	 */
	| { readonly type: "connection_lost"; readonly code: string; readonly bridgeEnded?: true }
	| { readonly type: "connection_restored" }
	| { readonly type: "syncing"; readonly files: number; readonly totalBytes: number }
	/** The turn is settled: its files are synced, or will not be. `snapshot` is absent when the bridge never gave one. */
	| ({ readonly type: "ended"; readonly turn: Turn; readonly thread: Thread; readonly snapshot?: Snapshot } & Replaced);

/** `setAside`: the user's own versions that the run's files replaced in the folder, with where they are kept. Absent = none. */
export interface Replaced {
	readonly setAside?: readonly SetAsideFile[];
}

/** `asOf`: present while contact with the active run is lost: the time at which its state was last known. */
export interface StoredSince {
	readonly asOf?: Timestamp;
}

/** What `sync` did about files of earlier runs that were missing from the folder, each from the newest run that delivered it. */
export interface BroughtBack {
	readonly paths: readonly string[];
	/** What still is not there, and why. */
	readonly lacking: readonly { readonly path: string; readonly message: string }[];
}

/** `setAside`: what this sync replaced. */
export interface SyncedThread extends Thread, Replaced {
	/** Files of the last run that had been saved, were gone from the folder, and are there again. */
	readonly restored: readonly string[];
	/** Files of the last run that were in the folder already, and were left as they are. */
	readonly unchanged: readonly string[];
	/** Absent when the thread was running again before they were looked for. */
	readonly broughtBack?: BroughtBack;
}

export interface ShownThread extends StoredSince {
	readonly thread: Thread;
	readonly prompts: Readonly<Record<TurnId, string>>;
	/** What each run that is over answered, where it said anything. */
	readonly answers: Readonly<Record<TurnId, Output>>;
	/** How many files the bridge collected of each run that is over, where there were any. Absent from an app that was started by an earlier version. */
	readonly collected?: Readonly<Record<TurnId, number>>;
	readonly folder: string;
	/** The position of its turn in the app's queue, if it is queued. */
	readonly gatewayQueue?: GatewayQueuePosition;
}

/** `acp.capabilities`, limits.openclaw: runs at a time, and turns that may wait. */
export type GatewayQueueLimits = Capabilities["limits"]["openclaw"];

/** Why the queue is paused: the bridge or its gateway is unavailable. */
export interface QueuePause {
	readonly code: string;
	readonly message: string;
	readonly fix?: string;
}

/** The position of a waiting turn, for the user. */
export interface GatewayQueuePosition {
	/** 1 = next. */
	readonly position: number;
	/** How many wait. */
	readonly length: number;
	readonly paused?: QueuePause;
}

/** The app's OpenClaw queue (docs/protocol.md#openclaw-queue). */
export interface GatewayQueueView {
	readonly limits: GatewayQueueLimits;
	/** Turns that hold a slot: submitted, and not over. */
	readonly active: readonly SentTurn[];
	/** First come, first served. */
	readonly waiting: readonly SentTurn[];
	/** Why nothing is drained at the moment. */
	readonly paused?: QueuePause;
}

/** Maximum number of threads in a list. */
export const LISTED_THREADS = 500;

/** A request or a grant, with the title of its thread where the app has that. */
export type ListedApproval = Approval & { readonly threadTitle?: string };

/** The record as it is now; `applied` = this call decided it. */
export interface DecidedApproval {
	readonly record: Approval;
	readonly applied: boolean;
}

/** What deleting a thread removed. */
export interface DeletedThread {
	readonly deletedRuns: number;
	readonly freedBytes: number;
	/** The thread's folder on this machine, when there was one. */
	readonly folder?: string;
}
