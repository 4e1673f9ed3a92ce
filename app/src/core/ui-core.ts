import type { Approval, ApprovalDecision, ApprovalId, MethodResult, ProviderId, ThreadId, TurnId } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";
import type { ArtifactSource, BridgeClient, BridgeEndpoint } from "../bridge-client/index.ts";
import type { Finding } from "../doctor/finding.ts";
import { FilesOfThreads } from "../files/thread-files.ts";
import { RunLogs } from "../run-log/run-logs.ts";
import type { SqliteThreadStore, Thread } from "../threads/index.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";
import type { AttachAgain, LaneView, SendRequest, SentTurn } from "./app-api.ts";
import { ApprovalBook } from "./approval-book.ts";
import { attachAgain } from "./attach-again.ts";
import { BridgeWatch } from "./bridge-watch.ts";
import { ChangeFeed } from "./change-feed.ts";
import { Diagnosis } from "./diagnosis.ts";
import { DraftBook } from "./draft-book.ts";
import { excerpt } from "./excerpt.ts";
import { listFolders } from "./list-folders.ts";
import { listMark } from "./list-mark.ts";
import { MessageQueue } from "./message-queue.ts";
import { RunDoings } from "./run-doings.ts";
import { type ChangeExtras, type ThreadBook, timestamp } from "./thread-book.ts";
import { ThreadList } from "./thread-list.ts";
import { ThreadSummaries } from "./thread-summaries.ts";
import type * as ui from "./ui-api.ts";

const BRIDGE_ASK_MS = 30_000;
const UPDATES_PAGE = 1_000;

/** The process around the core: what it alone knows and may do. */
export interface UiHost {
	settings(): ui.SettingsView;
	/** Absent when the bridge is not this app's own. */
	readonly restartBridge?: () => Promise<void>;
	/** Opens a folder with this machine's file browser. */
	openPath(path: string): Promise<void>;
	/** Values of the environment that never leave in a log. */
	readonly secrets: readonly string[];
}

export interface UiCoreParts {
	readonly home: string;
	readonly store: SqliteThreadStore;
	readonly book: ThreadBook;
	readonly client: BridgeClient;
	readonly endpoint: () => Promise<BridgeEndpoint>;
	readonly host: UiHost;
	readonly source: ArtifactSource;
	readonly lane: () => LaneView;
	readonly opened: (threadId: ThreadId) => void;
	readonly send: (request: SendRequest, turnId: TurnId) => Promise<SentTurn>;
	readonly fault: (error: unknown) => void;
	readonly bridgeAskMs?: number;
}

/** What windows see and ask besides AppApi. Everything they show lives here or in the database. */
export class UiCore implements ui.UiApi {
	readonly files: FilesOfThreads;
	readonly runLogs: RunLogs;
	/** The keeper of this machine's bridge tells it of troubles. */
	readonly bridge: BridgeWatch;
	readonly #parts: UiCoreParts;
	readonly #feed: ChangeFeed;
	readonly #approvals: ApprovalBook;
	readonly #queue: MessageQueue;
	readonly #drafts: DraftBook;
	readonly #list: ThreadList;
	readonly #diagnosis: Diagnosis;
	readonly #doings: RunDoings;
	readonly #summaries: ThreadSummaries;

	constructor(parts: UiCoreParts) {
		const { home, store, book, client, endpoint, host, send, fault, bridgeAskMs: askMs = BRIDGE_ASK_MS } = parts;
		this.#parts = parts;
		this.#diagnosis = new Diagnosis({ home, secrets: host.secrets, lane: parts.lane });
		this.files = new FilesOfThreads({ home, store, thread: (threadId) => book.get(threadId), source: parts.source });
		this.runLogs = new RunLogs({ store, secrets: () => this.#diagnosis.secrets() });
		this.#list = new ThreadList(store.ui);
		this.#feed = new ChangeFeed({
			state: () => this.#state(),
			thread: (threadId) => this.#summaries.get(threadId),
			lane: parts.lane,
			bridge: () => this.bridge.view,
		});
		this.#approvals = new ApprovalBook(client, (approval) => this.#feed.approvalChanged(approval));
		this.bridge = new BridgeWatch({
			...{ client, endpoint, fault, askMs, own: host.restartBridge !== undefined, isWatched: () => this.#feed.isWatched },
			changed: () => this.#feed.bridgeChanged(),
			answered: (signal) => this.#approvals.refresh(signal),
		});
		const changed = (threadId: ThreadId) => this.#listedChanged(threadId);
		const again = (threadId: ThreadId, wanted: AttachAgain) => attachAgain(store, threadId, wanted);
		this.#queue = new MessageQueue({ home, store: store.ui, book, send, again, changed, fault });
		this.#drafts = new DraftBook({ store, book, changed });
		this.#doings = new RunDoings((threadId) => this.#feed.threadChanged(threadId));
		this.#summaries = new ThreadSummaries({ store, list: this.#list, doings: this.#doings, lane: parts.lane });
	}

	/** Takes up what an earlier process left. */
	resume(): void {
		void this.bridge.ask();
		this.#queue.resume();
	}

	/** A thread was written. */
	changed(threadId: ThreadId, before: Thread | undefined, after: Thread | undefined, { updates, snapshot }: ChangeExtras): void {
		if (updates !== undefined) {
			this.#approvals.seeUpdates(updates.items);
			this.#doings.see(threadId, updates.items);
		}
		if (after?.pendingTurnId === undefined) this.#doings.forget(threadId);
		if (snapshot !== undefined) this.#approvals.runEnded(snapshot.runId);
		this.#list.changed(threadId);
		if (listMark(before) !== listMark(after)) this.#feed.threadChanged(threadId);
		this.#queue.threadChanged(before, after);
	}

	/** The lane's turns or its pause changed: those that wait stand elsewhere now. */
	laneChanged(threads: readonly ThreadId[]): void {
		this.#feed.laneChanged();
		for (const threadId of threads) this.#feed.threadChanged(threadId);
	}

	heard(answered: boolean): void {
		this.bridge.heard(answered);
	}

	changes(): AsyncIterableIterator<ui.AppChange> {
		const changes = this.#feed.watch();
		this.bridge.lookAgain();
		return changes;
	}

	async readThread(threadId: ThreadId): Promise<ui.ThreadDetail> {
		const thread = this.#parts.book.get(threadId);
		const { store, home, opened } = this.#parts;
		const kept = store.ui.keptAttachments(threadId);
		const turns = store.turnRecords(threadId).map(({ turn, request, snapshot }) => {
			const keptAttachments = kept.get(turn.turnId);
			return { turn, request, ...(snapshot && { snapshot }), ...(keptAttachments && { keptAttachments }) };
		});
		const draft = store.ui.drafts.get(threadId);
		const lane = this.#summaries.get(threadId)?.lane;
		opened(threadId);
		return {
			...{ thread, turns, folder: threadFolder(home, threadId) },
			...(lane && { lane }),
			...(draft && { draft }),
			queued: this.#queue.list(threadId),
			queueHeld: this.#queue.isHeld(thread),
		};
	}

	async readUpdates({ threadId, turnId, afterSeq, limit }: Parameters<ui.UiApi["readUpdates"]>[0]): Promise<ui.UpdatesPage> {
		const bound = Math.min(limit, UPDATES_PAGE);
		const updates = this.#parts.store.readUpdates({ threadId, turnId }, afterSeq, bound + 1);
		return { updates: updates.slice(0, bound), more: updates.length > bound };
	}

	async searchThreads(text: string): Promise<readonly ui.FoundThread[]> {
		return this.#parts.store.ui.find(text).map((found) => ({ threadId: found.threadId, excerpt: excerpt(found.text, text) }));
	}

	async recentPrompts(): Promise<readonly string[]> {
		return this.#parts.store.ui.recentPrompts();
	}

	async renameThread(threadId: ThreadId, title: string): Promise<Thread> {
		return this.#parts.book.execute(threadId, [{ type: "rename", title, at: timestamp() }]);
	}

	async saveDraft(threadId: ThreadId | undefined, draft: Omit<ui.Draft, "updatedAt" | "files">): Promise<void> {
		this.#drafts.save(threadId, draft);
	}

	async keepDraftFile(...given: Parameters<ui.UiApi["keepDraftFile"]>): Promise<ui.DraftFile> {
		return this.#drafts.keepFile(...given);
	}

	async dropDraftFile(...given: Parameters<ui.UiApi["dropDraftFile"]>): Promise<void> {
		this.#drafts.dropFile(...given);
	}

	queueMessage(request: ui.QueueRequest): ReturnType<ui.UiApi["queueMessage"]> {
		return this.#queue.add(request);
	}

	async editQueued(threadId: ThreadId, queuedId: string, change: { readonly prompt: string }): Promise<readonly ui.QueuedMessage[]> {
		return this.#queue.edit(threadId, queuedId, change);
	}

	async moveQueued(threadId: ThreadId, queuedId: string, position: number): Promise<readonly ui.QueuedMessage[]> {
		return this.#queue.move(threadId, queuedId, position);
	}

	async dropQueued(threadId: ThreadId, queuedId: string): Promise<readonly ui.QueuedMessage[]> {
		return this.#queue.drop(threadId, queuedId);
	}

	sendQueued(threadId: ThreadId): Promise<{ readonly turnId: TurnId }> {
		return this.#queue.sendNext(threadId);
	}

	listFiles(threadId: ThreadId): Promise<ui.ThreadFiles> {
		return this.files.list(threadId);
	}

	async openFolder(threadId: ThreadId): Promise<void> {
		this.#parts.book.get(threadId);
		await this.#parts.host.openPath(ensureThreadFolder(this.#parts.home, threadId));
	}

	openDataFolder(): Promise<void> {
		return this.#parts.host.openPath(this.#parts.home);
	}

	runLog(threadId: ThreadId, turnId: TurnId): Promise<ui.RunLog> {
		return this.runLogs.show({ threadId, turnId });
	}

	async doctor(): Promise<readonly Finding[]> {
		return await this.#diagnosis.findings(await this.bridge.ask());
	}

	testBridge(): Promise<ui.BridgeView> {
		return this.bridge.ask();
	}

	async testProvider(providerId: ProviderId): Promise<ui.TestedProvider> {
		const tested = await this.#parts.client.call("xworkmate.providers.test", { providerId });
		// What it offers, as models, is everybody's news.
		void this.bridge.ask();
		return tested;
	}

	async restartBridge(): Promise<ui.BridgeView> {
		const { restartBridge } = this.#parts.host;
		if (restartBridge === undefined) {
			throw new AppError("BRIDGE_NOT_OWN", "this app does not run the bridge", "Start it again where it was started.");
		}
		await restartBridge();
		return await this.bridge.ask();
	}

	async settings(): Promise<ui.SettingsView> {
		return this.#parts.host.settings();
	}

	bridgeLog(): ReturnType<ui.UiApi["bridgeLog"]> {
		return this.#diagnosis.bridgeLog();
	}

	listFolders(path?: string): Promise<readonly ui.FolderListing[]> {
		return listFolders(this.#parts.host.settings().allowedRoots, path);
	}

	/** The answer is everybody's at once, not only when the run's stream tells it. */
	async decideApproval(approvalId: ApprovalId, decision: ApprovalDecision): Promise<MethodResult<"xworkmate.approvals.decide">> {
		const decided = await this.#parts.client.call("xworkmate.approvals.decide", { approvalId, decision });
		this.#approvals.see(decided.record);
		return decided;
	}

	async close(): Promise<void> {
		this.#feed.close();
		this.#queue.close();
		this.#doings.close();
		await this.bridge.close();
	}

	#state(): ui.AppState {
		const { store, lane } = this.#parts;
		const threads = this.#summaries.all();
		const newDraft = store.ui.drafts.get(undefined);
		const approvals: readonly Approval[] = this.#approvals.pending;
		return { serverTime: timestamp(), threads, approvals, lane: lane(), bridge: this.bridge.view, ...(newDraft && { newDraft }) };
	}

	#listedChanged(threadId: ThreadId): void {
		this.#list.changed(threadId);
		this.#feed.threadChanged(threadId);
	}
}
