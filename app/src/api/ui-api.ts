import type {
	Approval,
	Capabilities,
	MethodResult,
	ProgressStage,
	ProviderId,
	RejectedArtifact,
	RunId,
	RunStatus,
	SessionUpdate,
	Sha256,
	Snapshot,
	ThreadId,
	Timestamp,
	TurnId,
} from "@xworkmate/contracts";
import type { BridgeTrouble } from "../process/bridge/bridge-trouble.ts";
import type { Draft, DraftFile, QueuedMessage } from "../threads/domain/composed-message.ts";
import type { ListedThread } from "../threads/domain/listed-thread.ts";
import type { Thread, Turn } from "../threads/domain/thread.ts";
import type { TurnRequest } from "../threads/domain/turn-record.ts";
import type { GatewayQueuePosition, GatewayQueueView } from "./app-api.ts";

export type { Draft, DraftFile, GatewayQueuePosition, QueuedMessage };

/** Why something can't be used: the stable code, a message for the user, and how to fix it. */
export interface Refusal {
	readonly code: string;
	readonly message: string;
	readonly fix?: string;
}

/** A thread as a list shows it. Its newest turn's seq and its `updatedAt` are as of the last change that a list shows. */
export interface ThreadSummary extends ListedThread {
	/** Where its turn is in the app's OpenClaw queue. */
	readonly gatewayQueue?: GatewayQueuePosition;
	/** Its run's current step, in the agent's own words, updated about once a second: a tool's title or a step of its plan. */
	readonly doing?: string;
	/** Present while contact with the active run is lost: the time at which its state was last known. */
	readonly asOf?: Timestamp;
	/** Counts changes of its queue since the app started, so that a window reads it again when only their order changed. */
	readonly queueChanges?: number;
}

/**
 * The bridge as the app sees it. `starting` = no answer yet; `unreachable` = no answer now;
 * `refused` = it answers and does not let the app in (a wrong token, another version).
 */
export interface BridgeView {
	readonly state: "starting" | "connected" | "unreachable" | "refused";
	/** App's clock. */
	readonly since: Timestamp;
	/** True when this app runs the bridge itself, so that it can start it again. */
	readonly own: boolean;
	readonly url?: string;
	readonly refusal?: Refusal;
	/** The fault of this machine's bridge, and what the app does about it. Absent while there is none. */
	readonly trouble?: BridgeTrouble;
	/** Milliseconds that the bridge's clock is ahead of this app's; countdowns to the bridge's times add them. */
	readonly clockAheadMs: number;
	/** What it last said it can do: providers with reasons, limits. Kept while it is away. */
	readonly capabilities?: Capabilities;
}

/** The small state, whole. */
export interface AppState {
	/** The app's clock, to compute times from. */
	readonly serverTime: Timestamp;
	/** Every thread, archived ones too, most recently changed first. */
	readonly threads: readonly ThreadSummary[];
	/** Requests that are waiting for the user, oldest first. */
	readonly approvals: readonly Approval[];
	/** Grants in force, newest first; a page leaves out those that have expired by the bridge's clock. */
	readonly grants?: readonly Approval[];
	readonly gatewayQueue: GatewayQueueView;
	readonly bridge: BridgeView;
	/** What is typed for a thread that does not exist yet. */
	readonly newDraft?: Draft;
}

/**
 * One line of `GET /api/changes`: `state` first, then what changed, each whole, so that applying one twice
 * harms nothing. A slow reader gets the newest of each instead of every step.
 */
export type AppChange =
	| { readonly type: "state"; readonly state: AppState }
	| { readonly type: "thread"; readonly thread: ThreadSummary }
	| { readonly type: "thread_deleted"; readonly threadId: ThreadId }
	/** Whatever is not `pending` any more leaves the list of what waits; the record says who decided what. */
	| { readonly type: "approval"; readonly approval: Approval }
	| { readonly type: "grants"; readonly grants: readonly Approval[] }
	| { readonly type: "gatewayQueue"; readonly gatewayQueue: GatewayQueueView }
	| { readonly type: "bridge"; readonly bridge: BridgeView }
	/** Files of a watched thread changed on disk: ask for them again. */
	| { readonly type: "files"; readonly threadId: ThreadId }
	/** Every 15 seconds, so that a dead connection shows. */
	| { readonly type: "alive"; readonly serverTime: Timestamp };

/**
 * The last line of `GET /api/changes` to a page whose place another one took: it waits until a user looks at it
 * again. Not a change, so a page that does not know it just comes back.
 */
export interface ParkedLine {
	readonly type: "parked";
}

/** A turn with all that is known of it but its updates. */
export interface TurnDetail {
	readonly turn: Turn;
	readonly request: TurnRequest;
	/** The terminal snapshot: provider, output, files, rejected files. */
	readonly snapshot?: Snapshot;
	/** Names of attached files whose bytes are still kept here, so that they can go along again. */
	readonly keptAttachments?: readonly string[];
}

/** One thread, whole; its updates come by turn (`readUpdates`, `GET /api/events`). */
export interface ThreadDetail {
	readonly thread: Thread;
	/** Oldest first. */
	readonly turns: readonly TurnDetail[];
	/** Absolute path on this machine. */
	readonly folder: string;
	readonly gatewayQueue?: GatewayQueuePosition;
	readonly draft?: Draft;
	readonly queued: readonly QueuedMessage[];
	/** True when the queue is paused until the user acts: the last turn did not succeed, or the next message is being edited. */
	readonly queueHeld: boolean;
	/** Messages that the user removed from the queue and did not delete. Absent = none. */
	readonly removed?: readonly QueuedMessage[];
}

export interface UpdatesPage {
	readonly updates: readonly SessionUpdate[];
	/** True when more are stored. */
	readonly more: boolean;
}

/**
 * What the folder has now, whichever run came last. `checked`: the bytes have the manifest's sha256, by its hash since
 * its last change. `edited`: the folder has the file from this run, with other bytes. `kept`: replaced by a later run or
 * an edit, and kept under `.versions/`. `replaced`: the folder has another version of the file, and this one is not
 * kept. `missing`: not on this disk. `unlisted`: on the disk, and the app holds no hash for it (more than 200 files in
 * its run). `unsaved`: its run did not succeed, so it was never put into the folder. `saving`: it is on its way there. `blocked`: a link or something else
 * that is not a regular file is in its place; it is not opened.
 */
export type FileState = "checked" | "edited" | "kept" | "replaced" | "missing" | "unsaved" | "saving" | "unlisted" | "blocked";

export interface ThreadFile {
	readonly relativePath: string;
	readonly state: FileState;
	/** As delivered; absent for `unlisted`. */
	readonly sizeBytes?: number;
	readonly sha256?: Sha256;
	readonly mediaType: string;
	readonly modifiedAt?: Timestamp;
	/** True for one that is not on this disk that the same address gives from the bridge's own copy, as long as the bridge keeps it. */
	readonly atBridge?: boolean;
	/** When the bytes that are there now were written, for `edited` and `unlisted`. */
	readonly editedAt?: string;
	/** Bytes of what is there now, when it differs from what was delivered. */
	readonly sizeNow?: number;
}

/** What a file of a run replaced in the folder, and no run had delivered: the user's own version. */
export interface SetAsideFile {
	/** Of the file that replaced it. */
	readonly relativePath: string;
	/** The first of its hash, as its name under `.versions/` has them. */
	readonly digits: string;
	/** Relative to the folder. */
	readonly keptAs: string;
	readonly sizeBytes: number;
}

/** The files of one run. */
export interface RunFiles {
	readonly turnId: TurnId;
	readonly runId: RunId;
	readonly createdAt: Timestamp;
	/** True for the run whose files are the thread's. */
	readonly current: boolean;
	readonly syncStatus?: Turn["syncStatus"];
	readonly detail?: Turn["resultDetail"];
	readonly files: readonly ThreadFile[];
	/** Absent = none. */
	readonly setAside?: readonly SetAsideFile[];
	/** What the run exported in all. */
	readonly count: number;
	readonly totalBytes: number;
	readonly rejected: readonly RejectedArtifact[];
	readonly rejectedCount: number;
	/** Of an interrupted run, whose files are never collected: where on the bridge's machine it worked. */
	readonly workedIn?: string;
}

export interface ThreadFiles {
	readonly folder: string;
	/** Newest first; runs without files and rejections are left out, unless they may have written some that were not collected. */
	readonly runs: readonly RunFiles[];
}

/** Who said it and who it was said to. */
export type Participant = "app" | "bridge" | "openclaw" | "plugin" | "sync" | "agent";

/** One line of a run's log. */
export interface RunLogEntry {
	readonly at: Timestamp;
	readonly from: Participant;
	readonly to: Participant;
	/** Of the run's log at the bridge; absent for what the app did itself. */
	readonly seq?: number;
	/** A stable word: an update's kind, or what the app did (`written`, `accepted`, `cancel_requested`, `ended`, `synced`, `unresolved`). */
	readonly what: string;
	/** One line of at most 300 characters, secrets redacted. Empty where the other fields say it all. */
	readonly text: string;
	/** The whole text with its line feeds, secrets redacted, where `text` has less of it. */
	readonly whole?: string;
	/** How many pieces of one message this is, where there are several. `at` and `seq` are those of the first. */
	readonly parts?: number;
	/** Of the last piece. */
	readonly lastAt?: Timestamp;
	readonly lastSeq?: number;
	/** Of a `status`: what the run is from here on. */
	readonly status?: RunStatus;
	readonly stage?: ProgressStage;
	/** True where the line was broken: the connection dropped here. */
	readonly dropped?: boolean;
	/** True for what went wrong, by what is recorded. */
	readonly problem?: boolean;
}

export interface RunLog {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly runId?: RunId;
	/** Who ran it, or was asked to. */
	readonly providerId?: ProviderId;
	readonly entries: readonly RunLogEntry[];
	/** True when there is more than a page shows; the export has all. */
	readonly more: boolean;
}

/** Paths and settings; read-only, because the environment sets them. */
export interface SettingsView {
	readonly home: string;
	readonly threadsFolder: string;
	readonly logFile: string;
	readonly appUrl: string;
	readonly bridgeUrl?: string;
	/** True when XWORKMATE_BRIDGE_URL names a bridge elsewhere. */
	readonly remoteBridge: boolean;
	/** Folders that may be a project's; empty = none is allowed. */
	readonly allowedRoots: readonly string[];
	readonly version: string;
	/** Names of the settings that the environment sets; never their values. */
	readonly set: readonly string[];
}

/** A provider's state after a real test of it. */
export type TestedProvider = MethodResult<"xworkmate.providers.test">;

export interface FolderListing {
	/** Absolute. */
	readonly path: string;
	/** Absent at an allowed root. */
	readonly parent?: string;
	/** Names, sorted; hidden ones left out. At most 1000. */
	readonly folders: readonly string[];
}

export interface FoundThread {
	readonly threadId: ThreadId;
	/** Around the first hit. */
	readonly excerpt: string;
}

/** The result of one check of this machine, its bridge or a provider. */
export interface Finding {
	readonly about: string;
	readonly state: "ok" | "note" | "problem";
	readonly message: string;
	/** What to do about it. */
	readonly fix?: string;
}
