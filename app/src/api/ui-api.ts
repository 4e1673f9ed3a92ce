import type {
	Approval,
	Capabilities,
	MethodResult,
	PlanId,
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
import type { InPlace } from "./in-place.ts";
import type { Marked } from "./marked.ts";
import type { PlanCounts } from "./plan-view.ts";

export type { Draft, DraftFile, GatewayQueuePosition, QueuedMessage };

/** Why something can't be used: the stable code, a message for the user, and the fix. */
export interface Refusal {
	readonly code: string;
	readonly message: string;
	readonly fix?: string;
}

/** A thread as lists show it. Its `updatedAt` and the seq of its newest turn are those of the last change that is visible in lists. */
export interface ThreadSummary extends ListedThread {
	/** The position of the thread's turn in the app's OpenClaw queue. */
	readonly gatewayQueue?: GatewayQueuePosition;
	/** The current step of the thread's run, in the agent's own words: a tool's title or a step of its plan. Updated about once a second. */
	readonly doing?: string;
	/** Present while contact with the active run is lost: the time at which its state was last known. */
	readonly asOf?: Timestamp;
	/** Counts changes to the thread's queue since the app started, so that a window reads the queue again even if only its order changed. */
	readonly queueChanges?: number;
	/** True if messages are queued and nothing sends the next one until the user acts. */
	readonly isQueueStuck?: boolean;
}

/**
 * The bridge as the app sees it. `starting`: it has not answered yet. `unreachable`: it does not answer now. `refused`: it answers but
 * rejects the app (a wrong token, another version).
 */
export interface BridgeView {
	readonly state: "starting" | "connected" | "unreachable" | "refused";
	/** When the state or the problem last changed, by the app's clock. */
	readonly since: Timestamp;
	/** True if the bridge belongs to this app's home. If the user started it, the app leaves it alone, and can't restart it. */
	readonly own: boolean;
	readonly startedByUser?: true;
	readonly url?: string;
	readonly refusal?: Refusal;
	/** The current problem with this machine's bridge, and what the app does about it. Absent if there is none. */
	readonly trouble?: BridgeTrouble;
	/** How far the bridge's clock is ahead of the app's, in milliseconds. Countdowns to times of the bridge add this. */
	readonly clockAheadMs: number;
	/** The capabilities that the bridge last reported: providers with reasons, limits. Kept while the bridge is unreachable. */
	readonly capabilities?: Capabilities;
}

/** The state that every page shows all the time. */
export interface AppState {
	/** The time by the app's clock, from which pages compute ages and countdowns. */
	readonly serverTime: Timestamp;
	/** Every thread, including archived ones, most recently changed first. */
	readonly threads: readonly ThreadSummary[];
	/** Requests that are waiting for an answer from the user, oldest first. */
	readonly approvals: readonly Approval[];
	/** Grants in force, newest first, once the bridge has listed them; a page leaves out those that have expired by the bridge's clock. */
	readonly grants?: readonly Approval[];
	readonly gatewayQueue: GatewayQueueView;
	readonly bridge: BridgeView;
	/** Absent from an app that was started by an earlier version. */
	readonly plans?: PlanCounts;
	/** The draft of a thread that does not exist yet, as it was when it last appeared, was sent or was deleted. */
	readonly newDraft?: Draft;
}

/**
 * One line of `GET /api/changes`: `state` first, then each changed part as a whole, so that applying a part twice is harmless. A slow
 * reader receives only the newest version of each part.
 */
export type AppChange =
	| { readonly type: "state"; readonly state: AppState }
	| { readonly type: "thread"; readonly thread: ThreadSummary }
	| { readonly type: "thread_deleted"; readonly threadId: ThreadId }
	/** A record that is no longer `pending` leaves the list of open requests; the record says who made which decision. */
	| { readonly type: "approval"; readonly approval: Approval }
	| { readonly type: "grants"; readonly grants: readonly Approval[] }
	| { readonly type: "gatewayQueue"; readonly gatewayQueue: GatewayQueueView }
	| { readonly type: "bridge"; readonly bridge: BridgeView }
	/** Files of a watched thread changed on disk: list them again. */
	| { readonly type: "files"; readonly threadId: ThreadId }
	/** The tools changed: list them again. */
	| { readonly type: "tools" }
	| { readonly type: "agents" }
	| { readonly type: "newDraft"; readonly draft?: Draft }
	/** A plan was changed, created or deleted: read it again. */
	| { readonly type: "plan"; readonly planId: PlanId }
	| { readonly type: "plans"; readonly plans: PlanCounts }
	/** Sent every 5 seconds while the page keeps reading, so that a dead connection is noticed; to WebKit also soon after each line. */
	| { readonly type: "alive"; readonly serverTime: Timestamp };

/**
 * The last line of `GET /api/changes` for a page that another page displaced. The displaced page reconnects when the user looks at it
 * again. A page that does not know this type of line simply reconnects.
 */
export interface ParkedLine {
	readonly type: "parked";
}

/** A turn with everything known about it except its updates. */
export interface TurnDetail {
	readonly turn: Turn;
	readonly request: TurnRequest;
	/** The terminal snapshot: provider, output, files, rejected files. */
	readonly snapshot?: Snapshot;
	/** Names of attached files whose bytes the app still has, so that the files can be attached again. */
	readonly keptAttachments?: readonly string[];
}

/**
 * A complete thread, except for updates: those are read turn by turn (`readUpdates`, `GET /api/events`). With `since`, `turns` and
 * `thread.turns` contain only changed and new turns. Turns are only ever added at the end.
 */
export interface ThreadDetail extends Marked {
	readonly thread: Thread;
	/** Oldest first. */
	readonly turns: readonly TurnDetail[];
	/** Absolute path on this machine. */
	readonly folder: string;
	readonly gatewayQueue?: GatewayQueuePosition;
	readonly draft?: Draft;
	readonly queued: readonly QueuedMessage[];
	/** True if nothing sends the next message until the user acts: it is being edited, or the last turn failed, for example. */
	readonly queueHeld: boolean;
	/** True if a removed message that is put back and becomes the first of the queue is sent at once. Only with `removed`. */
	readonly sendsNext?: boolean;
	/** Messages removed from the queue by the user, or after a restore from a backup, and not deleted. Absent if there are none. */
	readonly removed?: readonly QueuedMessage[];
}

export interface UpdatesPage {
	readonly updates: readonly SessionUpdate[];
	/** True if more updates are stored after these. */
	readonly more: boolean;
}

/**
 * The file's current state in the folder, whichever run was the last. `checked`: the bytes match the sha256 in the manifest (hashed again
 * after every change). `edited`: the folder has this run's file, with other bytes. `kept`: replaced by a later run's file, and kept under
 * `.versions/`. `replaced`: the folder has another version of the file, and this version was not kept. `missing`: not on this disk.
 * `unlisted`: on this disk, but the app has no hash for it (its run has more than 200 files). `unsaved`: its run did not succeed, so it was
 * never saved to the folder. `saving`: it is being saved. `blocked`: something that is not a regular file has its path; it is not opened.
 */
export type FileState = "checked" | "edited" | "kept" | "replaced" | "missing" | "unsaved" | "saving" | "unlisted" | "blocked";

export interface ThreadFile {
	readonly relativePath: string;
	readonly state: FileState;
	/** The size as delivered. Absent, like `sha256`, for a file beyond the 200 that a snapshot lists. */
	readonly sizeBytes?: number;
	readonly sha256?: Sha256;
	readonly mediaType: string;
	readonly modifiedAt?: Timestamp;
	/** True for a file that is not on this disk, but that the same address serves from the bridge's own copy as long as it is kept. */
	readonly atBridge?: boolean;
	/** For `blocked`: what is in the file's place. */
	readonly inPlace?: InPlace;
	/** When the current bytes were written, for `edited` and `unlisted`. */
	readonly editedAt?: string;
	/** The size of the current file, if it differs from the delivered size. */
	readonly sizeNow?: number;
}

/** A file in the folder that no run had delivered and that a run's file replaced. The user or an agent may have put it there. */
export interface SetAsideFile {
	/** Path of the run's file that replaced it. */
	readonly relativePath: string;
	/** The first digits of its hash, as in its name under `.versions/`. */
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
	/** True for the run whose files are the thread's current files. */
	readonly current: boolean;
	readonly syncStatus?: Turn["syncStatus"];
	readonly detail?: Turn["resultDetail"];
	readonly files: readonly ThreadFile[];
	/** Absent if there are none. */
	readonly setAside?: readonly SetAsideFile[];
	/** How many files the run exported in total. */
	readonly count: number;
	readonly totalBytes: number;
	readonly rejected: readonly RejectedArtifact[];
	readonly rejectedCount: number;
	/** For an interrupted run, whose files are never collected: the folder on the bridge's machine in which it worked. */
	readonly workedIn?: string;
}

/** With `since`, `runs` contains only changed and new runs. All other runs are unchanged; new runs come first. */
export interface ThreadFiles extends Marked {
	readonly folder: string;
	/** Newest first. Runs without files or rejections are left out, unless they may have written files that were not collected. */
	readonly runs: readonly RunFiles[];
}

/** The sender or the recipient of a message in a run's log. */
export type Participant = "app" | "bridge" | "openclaw" | "plugin" | "sync" | "agent";

/** One line of a run's log. */
export interface RunLogEntry {
	readonly at: Timestamp;
	readonly from: Participant;
	readonly to: Participant;
	/** The event's seq in the run's log at the bridge; absent for an action of the app itself. */
	readonly seq?: number;
	/** A stable word: an update's kind, or an action of the app, such as `written`, `accepted`, `cancel_requested` or `synced`. */
	readonly what: string;
	/** At most 300 characters on one line, with secrets redacted. Empty if the other fields say everything. */
	readonly text: string;
	/** The complete text with its line breaks, and for a call its input and output, with secrets redacted; absent if `text` has it all. */
	readonly whole?: string;
	/** How many pieces of one message were merged into this line, if there were several. `at` and `seq` are those of the first. */
	readonly parts?: number;
	/** The time of the last piece. */
	readonly lastAt?: Timestamp;
	readonly lastSeq?: number;
	/** For a `status`: the state of the run from this line on. */
	readonly status?: RunStatus;
	readonly stage?: ProgressStage;
	/** True where the connection dropped. */
	readonly dropped?: boolean;
	/** True if the line reports a failure. Decided from what is recorded, never from an agent's text. */
	readonly problem?: boolean;
}

export interface RunLog {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly runId?: RunId;
	/** The agent that executed the run, or was asked to. */
	readonly providerId?: ProviderId;
	readonly entries: readonly RunLogEntry[];
	/** True if there are more entries than a page shows. The export has all of them. */
	readonly more: boolean;
}

/** Where this process and its files are. */
export interface SettingsView {
	readonly home: string;
	readonly threadsFolder: string;
	readonly logFile: string;
	readonly appUrl: string;
	readonly bridgeUrl?: string;
	/** True if the setting `bridgeUrl` is set: the app uses a bridge that was started elsewhere. */
	readonly remoteBridge: boolean;
	readonly version: string;
	/** Names of the settings that the environment sets, never their values. */
	readonly set: readonly string[];
}

/** A provider's state after the provider was actually tested. */
export type TestedProvider = MethodResult<"xworkmate.providers.test">;

/** The result of one check of this machine, its bridge or a provider. */
export interface Finding {
	readonly about: string;
	readonly state: "ok" | "note" | "problem";
	readonly message: string;
	/** What to do about it. */
	readonly fix?: string;
}
