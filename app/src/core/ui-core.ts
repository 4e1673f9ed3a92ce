import type { ApprovalDecision, ApprovalId, MethodResult, ProviderId, ThreadId, TurnId } from "@xworkmate/contracts";
import type { AttachAgain, SentTurn } from "../api/app-api.ts";
import type * as ui from "../api/ui-api.ts";
import { PendingApprovals } from "../approvals/pending-approvals.ts";
import { attachAgain } from "../composer/attach-again.ts";
import { Drafts } from "../composer/drafts.ts";
import { ThreadQueue } from "../composer/thread-queue.ts";
import { Diagnosis } from "../doctor/diagnosis.ts";
import type { Finding } from "../doctor/finding.ts";
import { AppError } from "../errors/app-error.ts";
import { FolderWatches } from "../files/folder-watches.ts";
import { FilesOfThreads } from "../files/thread-files.ts";
import { RunLogs } from "../run-log/run-logs.ts";
import { CurrentSteps } from "../threads/current-steps.ts";
import { excerpt } from "../threads/excerpt.ts";
import type { Thread } from "../threads/index.ts";
import { storedDetail } from "../threads/stored-detail.ts";
import { ThreadList } from "../threads/thread-list.ts";
import { type ChangeExtras, timestamp } from "../threads/thread-repository.ts";
import { ThreadSummaries } from "../threads/thread-summaries.ts";
import { ensureThreadFolder } from "../workspace/index.ts";
import { BridgeWatch } from "./bridge-watch.ts";
import { ChangeFeed } from "./change-feed.ts";
import { listFingerprint } from "./list-fingerprint.ts";
import { listFolders } from "./list-folders.ts";
import type { UiCoreParts } from "./ui-core-parts.ts";

const BRIDGE_ASK_MS = 30_000;
const UPDATES_PAGE = 1_000;

/** What windows see and ask besides AppApi. Everything they show lives here or in the database. */
export class UiCore implements ui.UiApi {
	readonly files: FilesOfThreads;
	readonly runLogs: RunLogs;
	/** Called by the supervisor of this machine's bridge when there is a fault. */
	readonly bridge: BridgeWatch;
	readonly #parts: UiCoreParts;
	readonly #feed: ChangeFeed;
	readonly #approvals: PendingApprovals;
	readonly #queue: ThreadQueue;
	readonly #drafts: Drafts;
	readonly #list: ThreadList;
	readonly #diagnosis: Diagnosis;
	readonly #steps: CurrentSteps;
	readonly #summaries: ThreadSummaries;
	readonly #watches: FolderWatches;

	constructor(parts: UiCoreParts) {
		const { home, store, repository, client, endpoint, host, send, fault, bridgeAskMs: askMs = BRIDGE_ASK_MS } = parts;
		this.#parts = parts;
		this.#diagnosis = new Diagnosis({ home, secrets: host.secrets, gatewayQueue: parts.gatewayQueue });
		this.files = new FilesOfThreads({ home, store, thread: (threadId) => repository.get(threadId), source: parts.source });
		this.runLogs = new RunLogs({ store, secrets: () => this.#diagnosis.secrets() });
		this.#list = new ThreadList(store.surface);
		this.#feed = new ChangeFeed({
			state: () => this.#state(),
			thread: (threadId) => this.#summaries.get(threadId),
			grants: () => this.#approvals.grants,
			gatewayQueue: parts.gatewayQueue,
			bridge: () => this.bridge.view,
		});
		this.#watches = new FolderWatches({
			...{ fault, places: (threadId) => this.files.places(threadId), isHeard: () => this.#feed.isWatched },
			changed: (threadId) => this.#feed.filesChanged(threadId),
		});
		this.#approvals = new PendingApprovals(client, {
			approval: (approval) => this.#feed.approvalChanged(approval),
			grants: () => this.#feed.grantsChanged(),
			grantHeardOf: () => void this.bridge.ask(),
		});
		this.bridge = new BridgeWatch({
			...{ client, endpoint, fault, askMs, own: host.restartBridge !== undefined, isWatched: () => this.#feed.isWatched },
			changed: () => this.#bridgeChanged(),
			answered: (signal) => this.#approvals.refresh(signal),
		});
		const changed = (threadId: ThreadId) => this.#listedChanged(threadId);
		const again = (threadId: ThreadId, wanted: AttachAgain) => attachAgain(store, threadId, wanted);
		this.#queue = new ThreadQueue({ home, store: store.surface, repository, send, again, changed, fault });
		this.#drafts = new Drafts({ store, repository, changed });
		this.#steps = new CurrentSteps((threadId) => this.#feed.threadChanged(threadId));
		const isInTouch = (key: SentTurn) => this.bridge.view.trouble === undefined && parts.isInTouch(key);
		const queueChanges = (threadId: ThreadId) => this.#queue.changesOf(threadId);
		const told = { list: this.#list, steps: this.#steps, gatewayQueue: parts.gatewayQueue, isInTouch, queueChanges };
		this.#summaries = new ThreadSummaries({ store, repository, ...told });
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
			this.#steps.see(threadId, updates.items);
		}
		if (after?.pendingTurnId === undefined) this.#steps.forget(threadId);
		if (snapshot !== undefined) this.#approvals.runEnded(snapshot.runId);
		this.#watches.threadChanged(threadId, before, after);
		this.#list.changed(threadId);
		if (listFingerprint(before) !== listFingerprint(after)) this.#feed.threadChanged(threadId);
		this.#queue.threadChanged(before, after);
	}

	/** The queue's turns or its pause changed: those that wait are elsewhere now. */
	queueChanged(threads: readonly ThreadId[]): void {
		this.#feed.queueChanged();
		for (const threadId of threads) this.#feed.threadChanged(threadId);
	}

	/** Contact with its run was lost or is back. */
	contactChanged(threadId: ThreadId): void {
		this.#feed.threadChanged(threadId);
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
		const thread = this.#parts.repository.get(threadId);
		const { store, home, opened } = this.#parts;
		const gatewayQueue = this.#summaries.get(threadId)?.gatewayQueue;
		opened(threadId);
		return { ...storedDetail(store, home, thread), ...this.#queue.detail(thread), ...(gatewayQueue && { gatewayQueue }) };
	}

	async readUpdates({ threadId, turnId, afterSeq, limit }: Parameters<ui.UiApi["readUpdates"]>[0]): Promise<ui.UpdatesPage> {
		const bound = Math.min(limit, UPDATES_PAGE);
		const updates = this.#parts.store.readUpdates({ threadId, turnId }, afterSeq, bound + 1);
		return { updates: updates.slice(0, bound), more: updates.length > bound };
	}

	async searchThreads(text: string): Promise<readonly ui.FoundThread[]> {
		return this.#parts.store.surface.find(text).map((found) => ({ threadId: found.threadId, excerpt: excerpt(found.text, text) }));
	}

	async recentPrompts(): Promise<readonly string[]> {
		return this.#parts.store.surface.recentPrompts();
	}

	async renameThread(threadId: ThreadId, title: string): Promise<Thread> {
		return this.#parts.repository.execute(threadId, [{ type: "rename", title, at: timestamp() }]);
	}

	async saveDraft(...given: Parameters<ui.UiApi["saveDraft"]>): Promise<void> {
		this.#drafts.save(...given);
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

	async editQueued(threadId: ThreadId, queuedId: string, change: ui.QueuedChange): Promise<readonly ui.QueuedMessage[]> {
		return this.#queue.edit(threadId, queuedId, change);
	}

	async moveQueued(threadId: ThreadId, queuedId: string, position: number): Promise<readonly ui.QueuedMessage[]> {
		return this.#queue.move(threadId, queuedId, position);
	}

	async dropQueued(...given: Parameters<ui.UiApi["dropQueued"]>): Promise<{ readonly draft?: ui.Draft }> {
		return this.#queue.drop(...given);
	}

	async restoreQueued(threadId: ThreadId, queuedId: string): Promise<readonly ui.QueuedMessage[]> {
		return this.#queue.restore(threadId, queuedId);
	}

	async discardQueued(threadId: ThreadId, queuedId: string): Promise<void> {
		this.#queue.discard(threadId, queuedId);
	}

	sendQueued(threadId: ThreadId): Promise<{ readonly turnId: TurnId }> {
		return this.#queue.sendNext(threadId);
	}

	listFiles(threadId: ThreadId): Promise<ui.ThreadFiles> {
		return this.files.list(threadId);
	}

	async watchFiles(threadId: ThreadId): Promise<{ readonly begun: boolean }> {
		return { begun: await this.#watches.follow(threadId) };
	}

	async openFolder(threadId: ThreadId): Promise<void> {
		this.#parts.repository.get(threadId);
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
		// Its models may have changed, so every window is told.
		void this.bridge.ask();
		return tested;
	}

	async restartBridge(): Promise<ui.BridgeView> {
		const { restartBridge } = this.#parts.host;
		if (restartBridge === undefined) {
			throw new AppError(
				"BRIDGE_NOT_OWN",
				"This app did not start the bridge, so it can't restart it.",
				"Restart it where it was started.",
			);
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

	/** Every window gets the answer at once, before the run's stream reports it. */
	decideApproval(approvalId: ApprovalId, decision: ApprovalDecision): Promise<MethodResult<"xworkmate.approvals.decide">> {
		return this.#approvals.decide(approvalId, decision);
	}

	revokeGrant(approvalId: ApprovalId): Promise<MethodResult<"xworkmate.approvals.revoke">> {
		return this.#approvals.revoke(approvalId);
	}

	async close(): Promise<void> {
		for (const part of [this.#feed, this.#watches, this.#queue, this.#steps]) part.close();
		await this.bridge.close();
	}

	#state(): ui.AppState {
		const { store, gatewayQueue } = this.#parts;
		const threads = this.#summaries.all();
		const newDraft = store.surface.drafts.get(undefined);
		const { pending: approvals, grants } = this.#approvals;
		return {
			serverTime: timestamp(),
			threads,
			approvals,
			grants,
			gatewayQueue: gatewayQueue(),
			bridge: this.bridge.view,
			...(newDraft && { newDraft }),
		};
	}

	/** The rows of active runs depend on it. */
	#bridgeChanged(): void {
		this.#feed.bridgeChanged();
		for (const { threadId } of this.#parts.store.pendingTurns()) this.#feed.threadChanged(threadId);
		this.#parts.bridgeTroubled(this.bridge.view.trouble);
	}

	#listedChanged(threadId: ThreadId): void {
		this.#list.changed(threadId);
		this.#feed.threadChanged(threadId);
	}
}
