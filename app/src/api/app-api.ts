import type {
	Approval,
	ApprovalDecision,
	ApprovalId,
	Capabilities,
	MethodResult,
	Output,
	RequiredArtifact,
	Routing,
	RunId,
	SessionUpdate,
	Snapshot,
	ThreadId,
	Timestamp,
	TurnId,
} from "@xworkmate/contracts";
import type { GatewayQueueLimits, GatewayQueuePosition, QueuePause } from "../gateway-queue/index.ts";
import type { SentDraft } from "../threads/domain/composed-message.ts";
import type { Thread, Turn } from "../threads/domain/thread.ts";
import type { SetAsideFile } from "./ui-views.ts";

/** A file to send along, read by the caller. */
export interface AttachmentInput {
	readonly name: string;
	readonly mediaType: string;
	readonly bytes: Uint8Array;
}

/** A file to keep with a draft: its bytes, or those of an earlier message of the thread. */
export type DraftFileGiven = AttachmentInput | { readonly name: string; readonly again: TurnId };

export interface SendRequest {
	/** Absent = a new thread. */
	readonly threadId?: ThreadId;
	/** The thread exists: an id without one, such as a mistyped id, starts none. */
	readonly continues?: true;
	/** The user's message, as typed. */
	readonly prompt: string;
	readonly routing: Routing;
	/** Absolute; used when it is under a root that the bridge allows. */
	readonly workingDirectory?: string;
	/** Where the runtime works, when the user knows it. */
	readonly remoteWorkingDirectoryHint?: string;
	/** Globs of files that must come out, where one is not enough with how many. */
	readonly require?: readonly (string | RequiredArtifact)[];
	/** At least one file must come out. */
	readonly requiresExport?: boolean;
	/** Folders to look in, in addition to the artifact scope, if the runtime cannot write there. */
	readonly expectedArtifactDirs?: readonly string[];
	readonly attachments?: readonly AttachmentInput[];
	/** Files that an earlier message of the same thread carried, once more. */
	readonly attachAgain?: AttachAgain;
	/**
	 * The message is the draft of its thread, or of a new one: these of its files go along, and it is not a draft any more.
	 * Other words, which another window typed, stay.
	 */
	readonly draft?: Omit<SentDraft, "threadId" | "prompt">;
}

export interface AttachAgain {
	readonly turnId: TurnId;
	readonly names: readonly string[];
}

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
	readonly folder: string;
	/** The position of its turn in the app's queue, if it is queued. */
	readonly gatewayQueue?: GatewayQueuePosition;
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

/** What deleting a thread removed. */
export interface DeletedThread {
	readonly deletedRuns: number;
	readonly freedBytes: number;
	/** The thread's folder on this machine, when there was one. */
	readonly folder?: string;
}

/**
 * Everything a surface (command, window) asks of the app. Implemented by the core that owns the
 * home, and by the client of such a core in another process. Refusals are AppError or the bridge's
 * own error with `code`, `message` and `fix`.
 */
export interface AppApi {
	/** @throws AppError THREAD_NOT_FOUND for the id of a deleted thread, and with `continues` for any that has no thread */
	send(request: SendRequest): Promise<SentTurn>;
	/** Replays what was seen of the turn after a seq, then follows it to its end. */
	watch(threadId: ThreadId, turnId: TurnId, afterSeq?: number): AsyncIterable<TurnEvent>;
	cancel(runId: RunId): Promise<Snapshot>;
	/** Cancels a turn whether or not the bridge has it yet. `applied` is false for one that had already ended. */
	cancelTurn(threadId: ThreadId, turnId: TurnId): Promise<{ readonly applied: boolean }>;
	/** Newest first, at most LISTED_THREADS. */
	listThreads(options: { readonly archived: boolean }): Promise<readonly (Thread & StoredSince)[]>;
	/** @throws AppError THREAD_NOT_FOUND */
	showThread(threadId: ThreadId): Promise<ShownThread>;
	gatewayQueue(): Promise<GatewayQueueView>;
	archiveThread(threadId: ThreadId): Promise<Thread>;
	restoreThread(threadId: ThreadId): Promise<Thread>;
	/** @throws AppError THREAD_BUSY */
	deleteThread(threadId: ThreadId): Promise<DeletedThread>;
	tasks(query: {
		readonly threadId?: ThreadId;
		readonly limit?: number;
		readonly cursor?: string;
	}): Promise<MethodResult<"xworkmate.tasks.list">>;
	listApprovals(query: { readonly state?: Approval["state"]; readonly limit?: number }): Promise<readonly ListedApproval[]>;
	decideApproval(approvalId: ApprovalId, decision: ApprovalDecision): Promise<{ readonly record: Approval; readonly applied: boolean }>;
	/** Grants that hold now, newest first. */
	listGrants(): Promise<readonly ListedApproval[]>;
	/** Takes a grant back: it covers nothing from then on. */
	revokeGrant(approvalId: ApprovalId): Promise<{ readonly record: Approval; readonly applied: boolean }>;
	/** Puts the current run's files into the thread's folder again, and what earlier runs delivered and the folder lacks. */
	sync(threadId: ThreadId): Promise<SyncedThread>;
	capabilities(): Promise<Capabilities>;
}
