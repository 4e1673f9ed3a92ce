import type { ProviderId, ThreadId, TurnId } from "@xworkmate/contracts";
import type { Finding } from "../doctor/finding.ts";
import type { DraftFileId } from "../threads/domain/composed-message.ts";
import type { Thread } from "../threads/index.ts";
import type { DraftFileGiven } from "./app-api.ts";
import type {
	AppChange,
	BridgeView,
	Draft,
	DraftFile,
	FolderListing,
	FoundThread,
	QueuedChange,
	QueuedMessage,
	QueueRequest,
	RunLog,
	SettingsView,
	TestedProvider,
	ThreadDetail,
	ThreadFiles,
	UpdatesPage,
} from "./ui-views.ts";

export type * from "./ui-views.ts";

/**
 * What a window asks besides AppApi, each as `POST /api/<name>` with one JSON object. Refusals are AppError or
 * the bridge's own, as AppApi's are. Every change comes back through `GET /api/changes` as well.
 */
export interface UiApi {
	/** Follows the small state. Leaving the loop ends it. */
	changes(): AsyncIterableIterator<AppChange>;
	/** @throws AppError THREAD_NOT_FOUND */
	readThread(threadId: ThreadId): Promise<ThreadDetail>;
	/** Stored updates of a turn, at most 1000 at once. */
	readUpdates(query: {
		readonly threadId: ThreadId;
		readonly turnId: TurnId;
		readonly afterSeq: number;
		readonly limit: number;
	}): Promise<UpdatesPage>;
	/** In titles, prompts, answers and file names, in any case and with any accents, newest first, at most 100. */
	searchThreads(text: string): Promise<readonly FoundThread[]>;
	/** What was asked last in any thread, newest first, each once; at most 50, each at most 8,000 characters. */
	recentPrompts(): Promise<readonly string[]>;
	/** One line of 1 to 200 characters. @throws AppError INVALID_INPUT */
	renameThread(threadId: ThreadId, title: string): Promise<Thread>;
	/**
	 * Absent thread = the composer of a new one. A draft without words and files is none. `over` = this window's own words,
	 * which it replaces: those that another window typed stay, beside the new ones in `earlier`.
	 */
	saveDraft(threadId: ThreadId | undefined, draft: Omit<Draft, "updatedAt" | "files" | "earlier">, over?: string): Promise<void>;
	/** Keeps an attached file until it is dropped or sent. @throws AppError ATTACHMENT_REFUSED, ATTACHMENT_GONE, DISK_FULL */
	keepDraftFile(threadId: ThreadId | undefined, fileId: DraftFileId, given: DraftFileGiven): Promise<DraftFile>;
	dropDraftFile(threadId: ThreadId | undefined, fileId: DraftFileId): Promise<void>;
	/** Puts a message behind a busy thread's turn; in a ready thread it is sent at once. */
	queueMessage(request: QueueRequest): Promise<{ readonly queuedId?: string; readonly turnId?: TurnId }>;
	/** From the beginning of an edit to its end the message is not sent, nor are those behind it. @throws AppError QUEUED_NOT_FOUND */
	editQueued(threadId: ThreadId, queuedId: string, change: QueuedChange): Promise<readonly QueuedMessage[]>;
	/** Puts it at a place, 0 = next. */
	moveQueued(threadId: ThreadId, queuedId: string, position: number): Promise<readonly QueuedMessage[]>;
	/**
	 * Takes a message out of the queue. It becomes the thread's draft when `toDraft` is asked and there is none, else it is
	 * kept aside (`ThreadDetail.removed`), at most 20 a thread. The answer has the draft that it became.
	 */
	dropQueued(threadId: ThreadId, queuedId: string, toDraft: boolean): Promise<{ readonly draft?: Draft }>;
	/** Puts a removed message back into the queue; where nothing runs, it is sent. @throws AppError QUEUED_NOT_FOUND */
	restoreQueued(threadId: ThreadId, queuedId: string): Promise<readonly QueuedMessage[]>;
	/** Deletes a removed message. @throws AppError QUEUED_NOT_FOUND */
	discardQueued(threadId: ThreadId, queuedId: string): Promise<void>;
	/** Sends the next queued message of a thread that holds them, unless it is being edited. @throws AppError THREAD_BUSY */
	sendQueued(threadId: ThreadId): Promise<{ readonly turnId: TurnId }>;
	/** Hashes what is in the folder. */
	listFiles(threadId: ThreadId): Promise<ThreadFiles>;
	/**
	 * Tells of changes to its files on disk (`files` in `changes`), for 90 seconds after the last call. `begun` = it was
	 * not watched until now, so list the files again. @throws AppError THREAD_NOT_FOUND
	 */
	watchFiles(threadId: ThreadId): Promise<{ readonly begun: boolean }>;
	/** Opens the thread's folder with this machine's file browser. */
	openFolder(threadId: ThreadId): Promise<void>;
	/** Opens the home with this machine's file browser. */
	openDataFolder(): Promise<void>;
	/** At most 10,000 entries and 4,000,000 characters; consecutive pieces of a message are one entry. */
	runLog(threadId: ThreadId, turnId: TurnId): Promise<RunLog>;
	doctor(): Promise<readonly Finding[]>;
	/** Asks the bridge now; a refusal is in the view, not thrown. */
	testBridge(): Promise<BridgeView>;
	/** Tests a provider for real, within 20 seconds: starts an agent, opens a conversation and ends it. @throws as BridgeClient.call */
	testProvider(providerId: ProviderId): Promise<TestedProvider>;
	/** Starts this app's own bridge, or starts it again. @throws AppError BRIDGE_NOT_OWN */
	restartBridge(): Promise<BridgeView>;
	settings(): Promise<SettingsView>;
	/** The end of the bridge's log, at most 64 KiB, secrets redacted. */
	bridgeLog(): Promise<{ readonly text: string; readonly truncated: boolean }>;
	/** Folders to choose a project from; absent path = the allowed roots. @throws AppError WORKSPACE_REFUSED */
	listFolders(path?: string): Promise<readonly FolderListing[]>;
}
