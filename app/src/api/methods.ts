import {
	type Activity,
	ApprovalDecision,
	ApprovalId,
	ApprovalState,
	type Capabilities,
	limits,
	type MethodResult,
	methods,
	NotedHash,
	PlanId,
	ProviderId,
	ReceiptId,
	RunId,
	type Snapshot,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import { z } from "zod";
import type { SettingDigests } from "../config/setting-digests.ts";
import { agentRows } from "./agent-rows.ts";
import type {
	DecidedApproval,
	ExportLine,
	GatewayQueueView,
	HomeLine,
	ListedApproval,
	SentTurn,
	SyncedThread,
	TurnEvent,
	VerificationLine,
} from "./app-api.ts";
import { editRows } from "./edit-rows.ts";
import type { FolderListing } from "./folder-listing.ts";
import { action, commandOnly, type Functions, nothing, query, repeatable, stream } from "./method.ts";
import { FileOfDraft, KeptFile, QueuedChange, QueueRequest, SavedDraft, SendRequest } from "./params.ts";
import { planRows } from "./plan-rows.ts";
import { settingRows } from "./setting-rows.ts";
import { ofThread, ofThreadSince, threadRows } from "./thread-rows.ts";
import type {
	AppChange,
	BridgeView,
	Draft,
	DraftFile,
	Finding,
	QueuedMessage,
	RunLog,
	SettingsView,
	TestedProvider,
	ThreadFiles,
	UpdatesPage,
} from "./ui-api.ts";
import { CHANGES_ROUTE, eventsRoute, homeVerificationRoute, receiptLinesRoute, verificationRoute } from "./ui-routes.ts";
import type { UsageDay } from "./usage-day.ts";

const ofTurn = z.strictObject({ threadId: ThreadId, turnId: TurnId });
const ofQueued = z.strictObject({ threadId: ThreadId, queuedId: TurnId });
const ofApproval = z.strictObject({ approvalId: ApprovalId });
const listLimit = z.int().min(1).max(limits.listMax).exactOptional();

const turns = {
	/** Replays the turn's recorded updates after a seq, then follows the turn to its end. */
	watch: stream(ofTurn.extend({ afterSeq: z.int().min(0).exactOptional() }), ({ threadId, turnId, afterSeq }) =>
		eventsRoute(threadId, turnId, afterSeq),
	).of<TurnEvent>(),
	/** Stored updates of a turn; at most 1000 in a call. */
	readUpdates: query(ofTurn.extend({ afterSeq: z.int().min(0), limit: z.int().min(1).max(1000) })).returns<UpdatesPage>(),
	cancel: repeatable(action(z.strictObject({ runId: RunId })).returns<Snapshot>()),
	/**
	 * Cancels a turn, whether or not it has reached the bridge. `applied` is false if the turn had ended before any request to stop it.
	 * `stoppedAfterMs`: the time limit that caused the stop; absent if the user requested it.
	 */
	cancelTurn: repeatable(
		action(ofTurn.extend({ stoppedAfterMs: z.int().min(1).exactOptional() })).returns<{ readonly applied: boolean }>(),
	),
	tasks: query(z.strictObject({ threadId: ThreadId.exactOptional(), limit: listLimit, cursor: z.string().exactOptional() })).returns<
		MethodResult<"xworkmate.tasks.list">
	>(),
	/** Restores files that are missing from the thread's folder; unless `leaveEdits` is set, also those of the current run that were changed. */
	sync: repeatable(action(ofThread.extend({ leaveEdits: z.boolean().exactOptional() })).returns<SyncedThread>()),
	/** The app's queue of OpenClaw turns. */
	gatewayQueue: query(nothing).returns<GatewayQueueView>(),
};

const composer = {
	/** @throws AppError as MessageSender.send */
	send: repeatable(action(SendRequest).returns<SentTurn>(), ({ turnId }) => turnId !== undefined),
	/** Without a thread, saves the draft of a new one. An empty draft without files is deleted. */
	saveDraft: repeatable(action(SavedDraft).returns<void>()),
	/**
	 * Stores an attached file until it is removed or sent.
	 * @throws AppError THREAD_NOT_FOUND, ATTACHMENT_REFUSED, ATTACHMENT_GONE, DISK_FULL
	 */
	keepDraftFile: repeatable(action(KeptFile).returns<DraftFile>()),
	dropDraftFile: repeatable(action(FileOfDraft).returns<void>()),
	/** Queues a message behind a thread's turn and its queued messages. If there are none, the message is sent at once. */
	queueMessage: repeatable(
		action(QueueRequest).returns<{ readonly queuedId?: TurnId; readonly turnId?: TurnId }>(),
		({ turnId }) => turnId !== undefined,
	),
	/**
	 * Changes a queued message. While it is being edited, neither it nor any message behind it is sent.
	 * @throws AppError QUEUED_NOT_FOUND, INVALID_INPUT
	 */
	editQueued: repeatable(action(ofQueued.extend({ change: QueuedChange })).returns<readonly QueuedMessage[]>()),
	/** Moves a queued message to a position; 0 is the front of the queue. */
	moveQueued: action(ofQueued.extend({ position: z.int().min(0) })).returns<readonly QueuedMessage[]>(),
	/**
	 * Takes a message out of the queue. It becomes the thread's draft if `toDraft` is set and the thread has no draft; otherwise it
	 * is kept in `ThreadDetail.removed`, at most 20 per thread. The result contains the new draft, if any.
	 */
	dropQueued: action(ofQueued.extend({ toDraft: z.boolean().exactOptional() })).returns<{ readonly draft?: Draft }>(),
	/**
	 * Puts a removed message back into the queue. If no run is active and the queue is not held, the next message is sent.
	 * @throws AppError QUEUED_NOT_FOUND
	 */
	restoreQueued: action(ofQueued).returns<readonly QueuedMessage[]>(),
	/**
	 * Deletes a removed message.
	 * @throws AppError QUEUED_NOT_FOUND
	 */
	discardQueued: action(ofQueued).returns<void>(),
	/**
	 * Sends the next queued message even if the queue is held, unless that message is being edited.
	 * @throws AppError THREAD_BUSY, QUEUED_NOT_FOUND
	 */
	sendQueued: action(ofThread).returns<{ readonly turnId: TurnId }>(),
};

const approvals = {
	listApprovals: query(z.strictObject({ state: ApprovalState.exactOptional(), limit: listLimit })).returns<readonly ListedApproval[]>(),
	/** Decides a request. Every page receives the decision at once, before the run's stream reports it. */
	decideApproval: repeatable(action(ofApproval.extend({ decision: ApprovalDecision })).returns<DecidedApproval>()),
	/** Grants in force, newest first. */
	listGrants: query(nothing).returns<readonly ListedApproval[]>(),
	/** Revokes a grant, with immediate effect. */
	revokeGrant: repeatable(action(ofApproval).returns<DecidedApproval>()),
	/** A request with the whole input of its call. */
	approvalInput: query(ofApproval).returns<MethodResult<"xworkmate.approvals.get">>(),
};

/** The receipts of one run or of one plan; without either, all receipts. */
const ofChain = z.strictObject({ runId: RunId.exactOptional(), planId: PlanId.exactOptional() });

const receipts = {
	/** Newest first. */
	listReceipts: query(methods["xworkmate.receipts.list"].params.extend({ limit: listLimit })).returns<
		MethodResult<"xworkmate.receipts.list">
	>(),
	/** A receipt and all receipts of its call. */
	receipt: query(z.strictObject({ receiptId: ReceiptId })).returns<MethodResult<"xworkmate.receipts.get">>(),
	/** `head`: a hash that the user noted earlier, or its first digits; one of the chains must contain it. */
	verifyReceipts: stream(ofChain.extend({ head: NotedHash.exactOptional() }), verificationRoute).of<VerificationLine>(),
	/** What a run did, derived from its receipts. */
	activity: query(z.strictObject({ runId: RunId })).returns<Activity>(),
	/** The bridge's export, line by line. */
	exportReceipts: stream(ofChain, receiptLinesRoute).of<ExportLine>(),
};

const tools = {
	listTools: query(nothing).returns<MethodResult<"xworkmate.tools.list">>(),
	/** The source files of a version, for the user to review. */
	toolSources: query(methods["xworkmate.tools.sources"].params).returns<MethodResult<"xworkmate.tools.sources">>(),
	reloadTools: repeatable(action(methods["xworkmate.tools.reload"].params).returns<MethodResult<"xworkmate.tools.reload">>()),
	acceptTools: action(methods["xworkmate.tools.accept"].params).returns<MethodResult<"xworkmate.tools.accept">>(),
	/** Copies an example integration into the data folder and accepts it. */
	addTools: action(methods["xworkmate.tools.add"].params).returns<MethodResult<"xworkmate.tools.add">>(),
	newTools: action(methods["xworkmate.tools.new"].params).returns<MethodResult<"xworkmate.tools.new">>(),
	setToolRule: repeatable(action(methods["xworkmate.tools.policy"].params).returns<MethodResult<"xworkmate.tools.policy">>()),
};

const accounts = {
	/** The accounts through which models are used, in the order in which they are tried, without their secrets. */
	accounts: query(nothing).returns<MethodResult<"xworkmate.auth.list">>(),
	setAccount: repeatable(action(methods["xworkmate.auth.set"].params).returns<MethodResult<"xworkmate.auth.set">>()),
	orderAccounts: repeatable(action(methods["xworkmate.auth.order"].params).returns<MethodResult<"xworkmate.auth.order">>()),
	removeAccount: action(methods["xworkmate.auth.remove"].params).returns<MethodResult<"xworkmate.auth.remove">>(),
	/** Tests an account by sending a short request to its provider, within 20 seconds. A refusal is part of the result and is not thrown. */
	testAccount: repeatable(action(methods["xworkmate.auth.test"].params).returns<MethodResult<"xworkmate.auth.test">>()),
};

const files = {
	/** Lists the thread's files, and hashes those in its folder. */
	listFiles: query(ofThreadSince).returns<ThreadFiles>(),
	/**
	 * Reports changes to the thread's files on disk (`files` in `changes`) for 90 seconds after the last call, while any page is open.
	 * `begun`: the folder was not watched before, so list the files again.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	watchFiles: repeatable(action(ofThread).returns<{ readonly begun: boolean }>()),
	/** Opens the thread's folder in this machine's file browser. */
	openFolder: action(ofThread).returns<void>(),
	/**
	 * Opens a file of the thread's folder in the editor named by the setting `editor`.
	 * @throws AppError THREAD_NOT_FOUND, FILE_NOT_FOUND, FILE_BLOCKED, EDITOR_NOT_SET, EDITOR_FAILED
	 */
	openInEditor: action(z.strictObject({ threadId: ThreadId, relativePath: z.string().max(4096) })).returns<void>(),
	/** Opens the home in this machine's file browser. */
	openDataFolder: action(nothing).returns<void>(),
	/**
	 * Files that a message may name: those of the thread, and at most 5,000 files of a project folder, without hidden files, links, deeply
	 * nested files and folders such as `node_modules`. Their content is not read.
	 * @throws AppError THREAD_NOT_FOUND, WORKSPACE_REFUSED
	 */
	mentionableFiles: query(z.strictObject({ threadId: ThreadId.exactOptional(), folder: z.string().max(4096).exactOptional() })).returns<
		readonly string[]
	>(),
	/**
	 * Folders to choose a project folder from; without a path, the allowed roots.
	 * @throws AppError WORKSPACE_REFUSED
	 */
	listFolders: query(z.strictObject({ path: z.string().max(4096).exactOptional() })).returns<readonly FolderListing[]>(),
};

const runLog = {
	/** At most 10,000 entries and 4,000,000 characters; consecutive pieces of a message are merged into one entry. */
	runLog: query(ofTurn).returns<RunLog>(),
	/**
	 * What agents reported about their usage in the last 30 days, or in all runs of a thread. Newest day first; days without a run are left
	 * out.
	 */
	usage: query(z.strictObject({ threadId: ThreadId.exactOptional() })).returns<readonly UsageDay[]>(),
};

const doctor = {
	capabilities: query(nothing).returns<Capabilities>(),
	doctor: query(nothing).returns<readonly Finding[]>(),
	/**
	 * Reads everything that is stored and compares it with its records. `only` limits this to what can be read from disk, or to what only the
	 * app and its bridge can provide.
	 */
	verifyHome: stream(z.strictObject({ only: z.enum(["disk", "asked"]).exactOptional() }), homeVerificationRoute).of<HomeLine>(),
	/** Tests the connection to the bridge now. A refusal is part of the result and is not thrown. */
	testBridge: query(nothing).returns<BridgeView>(),
	/**
	 * Tests a provider by starting its agent, opening a conversation and ending it, within 20 seconds.
	 * @throws as BridgeClient.call
	 */
	testProvider: repeatable(action(z.strictObject({ providerId: ProviderId })).returns<TestedProvider>()),
	/** The services in which the user talks to the bridge, each with its state. */
	operators: query(nothing).returns<MethodResult<"xworkmate.operators.list">>(),
	/**
	 * Starts or restarts this app's own bridge.
	 * @throws AppError BRIDGE_NOT_OWN
	 */
	restartBridge: action(nothing).returns<BridgeView>(),
	settings: query(nothing).returns<SettingsView>(),
	/** The last 64 KiB of the bridge's log, or all of a shorter one, with secrets redacted. */
	bridgeLog: query(nothing).returns<{ readonly text: string; readonly truncated: boolean }>(),
};

const changes = {
	/** Follows the small state until the caller leaves the loop. */
	changes: stream(nothing, () => CHANGES_ROUTE).of<AppChange>(),
};

/**
 * The local API: each method once, with its parameters, its result and who may call it. The interface, the server's routes, the
 * command's client and the page's client are derived from it. Errors are AppError or the bridge's own error with `code`, `message`
 * and `fix`. Every change to the small state also reaches pages through `changes`.
 */
export const appMethods = {
	...turns,
	...threadRows,
	...composer,
	...approvals,
	...receipts,
	...tools,
	...accounts,
	...agentRows,
	...planRows,
	...editRows,
	...files,
	...runLog,
	...doctor,
	...settingRows,
	...changes,
};

/** Implemented by the process that the app runs in, if it serves a page; otherwise these methods do not exist. */
export const pageMethods = {
	/** The path of a new one-time link. */
	openKey: commandOnly(action(nothing).returns<{ readonly path: string }>()),
	/** Digests of the settings that the process was started with. */
	startedWith: commandOnly(query(nothing).returns<SettingDigests>()),
};

/** The methods that each part of the app implements. */
export type TurnFunctions = Functions<typeof turns>;
export type ComposerFunctions = Functions<typeof composer>;
export type ApprovalFunctions = Functions<typeof approvals>;
export type ReceiptFunctions = Functions<typeof receipts>;
export type ToolFunctions = Functions<typeof tools>;
export type AccountFunctions = Functions<typeof accounts>;
export type FileFunctions = Functions<typeof files>;
export type DoctorFunctions = Functions<typeof doctor>;
export type PageFunctions = Functions<typeof pageMethods>;
