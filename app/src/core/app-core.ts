import { join } from "node:path";
import {
	type ApprovalDecision,
	type ApprovalId,
	type Capabilities,
	type MethodResult,
	type RunId,
	SessionId,
	type Snapshot,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import { customAlphabet, nanoid } from "nanoid";
import type * as api from "../api/app-api.ts";
import { LISTED_THREADS } from "../api/app-api.ts";
import { ArtifactDownload, BridgeClient, type ClientBounds, clientBounds, findBridge } from "../bridge-client/index.ts";
import { attachAgain } from "../composer/attach-again.ts";
import { filesOfDraft } from "../composer/drafts.ts";
import { AppError } from "../errors/app-error.ts";
import { type FolderState, folderState, whatSyncDid } from "../files/folder-state.ts";
import { type GatewayQueuePosition, placesOf, queueStateOf } from "../gateway-queue/index.ts";
import { type SyncBounds, syncBounds } from "../sync/index.ts";
import { type AppHome, findTurn, ownAppHome, SqliteThreadStore, type Thread, type ThreadCommand } from "../threads/index.ts";
import { ThreadDeletion } from "../threads/thread-deletion.ts";
import { ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { isAtBridge } from "../threads/thread-summaries.ts";
import { BackgroundTurns } from "../turns/background-turns.ts";
import { composeTurn, titleOf } from "../turns/compose-turn.ts";
import { TurnFeed } from "../turns/turn-feed.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";
import { headlessHost } from "./headless-host.ts";
import { UiCore } from "./ui-core.ts";
import type { UiHost } from "./ui-core-parts.ts";

export interface AppCoreOptions {
	/** XWORKMATE_HOME. */
	readonly home: string;
	/** A bridge elsewhere, and its token; absent = the home's own. */
	readonly bridgeUrl?: string;
	readonly token?: string;
	readonly bounds?: {
		readonly client?: Partial<ClientBounds>;
		readonly sync?: Partial<SyncBounds>;
		readonly unresolvedAskMs?: number;
		/** How often a bridge or gateway that cannot be used is asked while turns wait for it. */
		readonly queueAskMs?: number;
		/** How often the bridge is asked while a window is open. */
		readonly bridgeAskMs?: number;
	};
	/** The process around the core; absent where no window is served. */
	readonly host?: UiHost;
	/** Told of faults of this machine or of this code; what they struck is tried again. */
	readonly fault?: (error: unknown) => void;
}

const UNRESOLVED_ASK_MS = 10 * 60_000;
const LANE_ASK_MS = 10_000;
const mintSuffix = customAlphabet("23456789abcdefghjkmnpqrstuvwxyz", 10);

/** The app's state and its work: the one owner of `<home>/app`. */
export class AppCore implements api.AppApi, AsyncDisposable {
	readonly #home: AppHome;
	readonly #store: SqliteThreadStore;
	readonly #repository: ThreadRepository;
	readonly #feed: TurnFeed;
	readonly #client: BridgeClient;
	readonly #deletion: ThreadDeletion;
	readonly #work: BackgroundTurns;
	/** What windows ask besides. */
	readonly ui: UiCore;

	/** @throws AppHomeInUse, AppError APP_DATABASE_NEWER, APP_DATABASE_DAMAGED */
	static open(options: AppCoreOptions): AppCore {
		const home = ownAppHome(options.home);
		try {
			return new AppCore(home, new SqliteThreadStore(join(home.appFolder, "app.sqlite")), options);
		} catch (error) {
			home[Symbol.dispose]();
			throw error;
		}
	}

	private constructor(home: AppHome, store: SqliteThreadStore, options: AppCoreOptions) {
		const { bounds = {}, fault = () => undefined, host = headlessHost, ...settings } = options;
		const client = { ...clientBounds, ...bounds.client };
		const { unresolvedAskMs = UNRESOLVED_ASK_MS, queueAskMs = LANE_ASK_MS, bridgeAskMs } = bounds;
		const endpoint = () => findBridge(settings);
		this.#home = home;
		this.#store = store;
		this.#repository = new ThreadRepository(store, (threadId, before, after, extras) => {
			this.#feed.ring(threadId);
			this.#work.changed(before, after);
			this.ui.changed(threadId, before, after, extras);
		});
		this.#feed = new TurnFeed(store, this.#repository, {
			contactChanged: (threadId) => this.ui.contactChanged(threadId),
			replaced: (thread, runId) => this.ui.files.replaced(thread, runId),
		});
		this.#client = new BridgeClient(endpoint, client, (answered) => {
			this.#work.heard(answered);
			this.ui.heard(answered);
		});
		this.#deletion = new ThreadDeletion({ home: home.home, repository: this.#repository, client: this.#client });
		this.#work = new BackgroundTurns({
			...{ home: home.home, store, repository: this.#repository, feed: this.#feed, client: this.#client, endpoint, fault },
			isDeleting: (threadId) => this.#deletion.isDeleting(threadId),
			queueChanged: (threads) => this.ui.queueChanged(threads),
			bounds: { client, sync: { ...syncBounds, ...bounds.sync }, unresolvedAskMs, queueAskMs },
		});
		this.ui = new UiCore({
			...{ home: home.home, store, repository: this.#repository, client: this.#client, endpoint, host, fault },
			source: new ArtifactDownload(endpoint, client.idleMs),
			gatewayQueue: () => this.#queueView(),
			opened: (threadId) => this.#work.opened(threadId),
			isInTouch: (key) => this.#feed.isInTouch(key),
			bridgeTroubled: (trouble) => this.#work.bridgeTroubled(trouble),
			send: (request, turnId) => this.#send(request, turnId),
			...(bridgeAskMs !== undefined && { bridgeAskMs }),
		});
	}

	/** Where browsers' sessions are kept. */
	get sessions(): Pick<SqliteThreadStore["surface"], "addSession" | "hasSession"> {
		return this.#store.surface;
	}

	/** Resumes every turn that was active, and asks about unresolved ones. */
	resume(): void {
		this.#work.resume();
		this.ui.resume();
	}

	send(request: api.SendRequest): Promise<api.SentTurn> {
		return this.#send(request, TurnId.parse(`turn-${nanoid()}`));
	}

	async #send(request: api.SendRequest, turnId: TurnId): Promise<api.SentTurn> {
		const threadId = request.threadId ?? mintThreadId();
		await this.#work.claim(threadId);
		if (request.continues === true) this.#repository.get(threadId);
		this.#deletion.refuseDuring(threadId);
		const again = request.attachAgain === undefined ? [] : attachAgain(this.#store, threadId, request.attachAgain);
		const drafted = request.draft === undefined ? [] : filesOfDraft(this.#store.surface, request.threadId, request.draft.files);
		const attachments = [...again, ...drafted, ...(request.attachments ?? [])];
		const created = composeTurn({ threadId, turnId, folder: threadFolder(this.#home.home, threadId) }, { ...request, attachments });
		// Nothing is made for a message that is refused.
		ensureThreadFolder(this.#home.home, threadId);
		const at = timestamp();
		const admission = request.routing.executionTarget === "gateway" ? this.#work.gatewayQueue.admit() : "run";
		const commands: readonly ThreadCommand[] = [
			{ type: "create", threadId, sessionId: SessionId.parse(threadId), title: titleOf(request.prompt), at },
			{ type: "send", turnId, at, admission },
		];
		// The turn is on the disk before it is sent to the bridge.
		const { prompt, draft } = request;
		const sentDraft = draft && { ...draft, prompt, ...(request.threadId && { threadId: request.threadId }) };
		this.#repository.execute(threadId, commands, { created, ...(sentDraft && { sentDraft }) });
		this.#work.begin({ threadId, turnId }, admission);
		return { threadId, turnId };
	}

	watch(threadId: ThreadId, turnId: TurnId, afterSeq = 0): AsyncIterableIterator<api.TurnEvent> {
		this.#turnOf(threadId, turnId);
		return this.#feed.watch({ threadId, turnId }, afterSeq);
	}

	async cancel(runId: RunId): Promise<Snapshot> {
		const key = this.#store.findRun(runId);
		if (key !== undefined) this.#repository.execute(key.threadId, [{ type: "request_cancel", turnId: key.turnId, at: timestamp() }]);
		return await this.#client.call("xworkmate.tasks.cancel", { runId });
	}

	async cancelTurn(threadId: ThreadId, turnId: TurnId): Promise<void> {
		this.#turnOf(threadId, turnId);
		const after = this.#repository.execute(threadId, [{ type: "request_cancel", turnId, at: timestamp() }]);
		if (after.pendingTurnId === turnId) await this.#work.cancel({ threadId, turnId });
	}

	async listThreads({ archived }: { readonly archived: boolean }): Promise<readonly (Thread & api.StoredSince)[]> {
		return this.#store.listThreads({ archived, limit: LISTED_THREADS }).map((thread) => ({ ...thread, ...this.#storedSince(thread) }));
	}

	async showThread(threadId: ThreadId): Promise<api.ShownThread> {
		const thread = this.#repository.get(threadId);
		const records = this.#store.turnRecords(threadId);
		this.#work.opened(threadId);
		const place = thread.lifecycleStatus === "queued" ? this.#placeOf(threadId) : undefined;
		return {
			thread,
			prompts: Object.fromEntries(records.map(({ turn, request }) => [turn.turnId, request.prompt])),
			answers: Object.fromEntries(records.flatMap(({ turn, snapshot }) => (snapshot?.output ? [[turn.turnId, snapshot.output]] : []))),
			folder: threadFolder(this.#home.home, threadId),
			...(place && { gatewayQueue: place }),
			...this.#storedSince(thread),
		};
	}

	async gatewayQueue(): Promise<api.GatewayQueueView> {
		return this.#queueView();
	}

	async archiveThread(threadId: ThreadId): Promise<Thread> {
		await this.#work.claim(threadId);
		return this.#repository.execute(threadId, [{ type: "archive", at: timestamp() }]);
	}

	async restoreThread(threadId: ThreadId): Promise<Thread> {
		return this.#repository.execute(threadId, [{ type: "restore", at: timestamp() }]);
	}

	async deleteThread(threadId: ThreadId): Promise<api.DeletedThread> {
		await this.#work.claim(threadId);
		return await this.#deletion.delete(threadId);
	}

	tasks(query: Parameters<api.AppApi["tasks"]>[0]): Promise<MethodResult<"xworkmate.tasks.list">> {
		return this.#client.call("xworkmate.tasks.list", query);
	}

	async listApprovals(query: Parameters<api.AppApi["listApprovals"]>[0]): Promise<readonly api.ListedApproval[]> {
		return this.#repository.titled((await this.#client.call("xworkmate.approvals.list", query)).items);
	}

	async listGrants(): Promise<readonly api.ListedApproval[]> {
		return this.#repository.titled((await this.#client.call("xworkmate.approvals.grants", {})).items);
	}

	revokeGrant(approvalId: ApprovalId): Promise<MethodResult<"xworkmate.approvals.revoke">> {
		return this.ui.revokeGrant(approvalId);
	}

	decideApproval(approvalId: ApprovalId, decision: ApprovalDecision): Promise<MethodResult<"xworkmate.approvals.decide">> {
		return this.ui.decideApproval(approvalId, decision);
	}

	async sync(threadId: ThreadId): Promise<api.SyncedThread> {
		const before = await this.#folderState(threadId);
		await this.#work.claim(threadId);
		this.#deletion.refuseDuring(threadId);
		const { pendingTurnId } = this.#repository.execute(threadId, [{ type: "start_sync", at: timestamp() }]);
		if (pendingTurnId !== undefined) await this.#work.carryOn({ threadId, turnId: pendingTurnId });
		// A message that was queued goes first, and what it needs of the folder is its own.
		const isTaken = this.#repository.get(threadId).pendingTurnId !== undefined || this.#deletion.isDeleting(threadId);
		const broughtBack = isTaken ? undefined : await this.#work.bringBack(threadId);
		const did = whatSyncDid(before, await this.#folderState(threadId));
		return { ...this.#repository.get(threadId), ...did, ...(broughtBack && { broughtBack }) };
	}

	#folderState(threadId: ThreadId): Promise<FolderState> {
		return folderState(this.#repository.get(threadId), threadFolder(this.#home.home, threadId), this.ui.files);
	}

	async capabilities(): Promise<Capabilities> {
		const capabilities = await this.#client.call("acp.capabilities", {});
		this.#work.gatewayQueue.learn(capabilities);
		return capabilities;
	}

	/** Active turns stay as they are on the disk and are resumed at the next start. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#feed.close();
		await this.ui.close();
		await this.#work.close();
		this.#store.close();
		this.#home[Symbol.dispose]();
	}

	#queueView(): api.GatewayQueueView {
		const { limits, paused } = this.#work.gatewayQueue;
		return { limits, ...queueStateOf(this.#store.gatewayTurns()), ...(paused && { paused }) };
	}

	#placeOf(threadId: ThreadId): GatewayQueuePosition | undefined {
		return placesOf(queueStateOf(this.#store.gatewayTurns()), this.#work.gatewayQueue.paused).find((entry) => entry.threadId === threadId)
			?.place;
	}

	/** The stored state of an active run is current only while the bridge answers questions about it. */
	#storedSince({ threadId, pendingTurnId: turnId, turns, updatedAt: asOf }: Thread): api.StoredSince {
		const status = turns.find((turn) => turn.turnId === turnId)?.status;
		if (turnId === undefined || status === undefined || !isAtBridge(status)) return {};
		const key = { threadId, turnId };
		return this.ui.bridge.view.trouble === undefined && this.#work.isFollowed(key) && this.#feed.isInTouch(key) ? {} : { asOf };
	}

	#turnOf(threadId: ThreadId, turnId: TurnId): void {
		if (findTurn(this.#repository.get(threadId), turnId) !== undefined) return;
		throw new AppError("TURN_NOT_FOUND", `This thread has no message ${turnId}.`, "Reload the thread.");
	}
}

/** A draft key; the bridge maps it to its own session keys. */
function mintThreadId(): ThreadId {
	return ThreadId.parse(`draft:${new Date().toISOString().slice(0, 10)}-${mintSuffix()}`);
}
