import type { ThreadId } from "@xworkmate/contracts";
import type { BroughtBack } from "../api/app-api.ts";
import type { BridgeEndpoint } from "../bridge-client/bridge-endpoint.ts";
import { ArtifactDownload, type BridgeClient, type ClientBounds, failureVerdict } from "../bridge-client/index.ts";
import { GatewayQueuePositions } from "../gateway-queue/gateway-queue-positions.ts";
import { GatewayQueue } from "../gateway-queue/index.ts";
import { type BridgeTrouble, isBridgeGone } from "../process/bridge/bridge-trouble.ts";
import type { SyncBounds } from "../sync/index.ts";
import { type Admission, findTurn, type Thread, type ThreadStore, type TurnKey } from "../threads/index.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { ActiveTurns } from "./active-turns.ts";
import { Adoption } from "./adoption.ts";
import { type ApprovalNews, BridgeFeed } from "./bridge-feed.ts";
import { PartialSyncs } from "./partial-syncs.ts";
import type { TurnFeed } from "./turn-feed.ts";
import { UnresolvedTurns } from "./unresolved-turns.ts";

export interface BackgroundTurnsBounds {
	readonly client: ClientBounds;
	readonly sync: SyncBounds;
	/** Between two questions about turns given up on. */
	readonly unresolvedAskMs: number;
	/** Between two questions to a bridge or gateway that cannot be used, while turns wait for it. */
	readonly queueAskMs: number;
}

export interface BackgroundTurnsParts {
	readonly home: string;
	readonly store: ThreadStore;
	readonly repository: ThreadRepository;
	readonly feed: TurnFeed;
	readonly client: BridgeClient;
	readonly endpoint: () => Promise<BridgeEndpoint>;
	readonly isDeleting: (threadId: ThreadId) => boolean;
	/** The queue's turns or its pause changed; the threads that wait, or waited. */
	readonly queueChanged: (threads: readonly ThreadId[]) => void;
	/** The bridge's changes tell of an approval, or of how they are followed. */
	readonly approvalNews: (news: ApprovalNews) => void;
	readonly bounds: BackgroundTurnsBounds;
	readonly fault: (error: unknown) => void;
}

/** Work in the background: active turns, the queue, unresolved turns, missing files. */
export class BackgroundTurns {
	readonly gatewayQueue: GatewayQueue;
	readonly #parts: BackgroundTurnsParts;
	readonly #activeTurns: ActiveTurns;
	readonly #unresolved: UnresolvedTurns;
	readonly #partials: PartialSyncs;
	readonly #bridgeFeed: BridgeFeed;
	readonly #timer: NodeJS.Timeout;
	#away = false;
	#closed = false;

	constructor(parts: BackgroundTurnsParts) {
		const { home, store, repository, feed, client, endpoint, isDeleting, approvalNews, bounds, fault } = parts;
		const fetching = { source: new ArtifactDownload(endpoint, bounds.client.idleMs), fetchFailed: () => this.heard(false) };
		this.#parts = parts;
		this.#activeTurns = new ActiveTurns(
			{
				home,
				repository,
				store,
				feed,
				client,
				...fetching,
				mayWait: () => this.gatewayQueue.mayWait(),
				origin: () => this.#bridgeFeed.origin,
				bounds,
			},
			fault,
		);
		const takeUp = (key: TurnKey) => void this.#activeTurns.start(key, true);
		this.#unresolved = new UnresolvedTurns({ store, repository, client, takeUp, fault });
		this.#partials = new PartialSyncs({ home, store, repository, ...fetching, isDeleting, bounds: bounds.sync, fault });
		const claim = (threadId: ThreadId) => this.claim(threadId);
		const adoption = new Adoption({ store, repository, client, isDeleting, claim, carryOn: takeUp });
		this.#bridgeFeed = new BridgeFeed({ store, client, bounds: bounds.client, adoption, approvalNews, fault });
		this.gatewayQueue = this.#createQueue();
		this.#timer = setInterval(() => this.#askAgain(), bounds.unresolvedAskMs).unref();
	}

	/** Takes up what an earlier process left. */
	resume(): void {
		for (const key of this.#parts.store.pendingTurns()) if (!this.#waits(key)) void this.#activeTurns.start(key, true);
		void this.#unresolved.ask();
		this.#partials.retry();
		this.gatewayQueue.open();
		this.#bridgeFeed.start();
	}

	/** Someone asks the bridge about the turn: not so in a core that took up nothing. */
	isFollowed(key: TurnKey): boolean {
		return this.#activeTurns.find(key) !== undefined;
	}

	/** Begins a turn that was just written. */
	begin(key: TurnKey, admission: Admission): void {
		if (admission === "run") void this.#activeTurns.start(key, false);
	}

	/** Resumes a turn to fetch its files. Resolves when that is done. */
	carryOn(key: TurnKey): Promise<void> {
		return this.#activeTurns.start(key, true);
	}

	/** Sends the cancel that a turn carries; one that waits in the queue has no course, and no bridge is asked. */
	async cancel(key: TurnKey): Promise<void> {
		await this.#activeTurns.find(key)?.cancel();
	}

	/** The user opened the thread: asks now for the unknown outcomes of its turns. */
	opened(threadId: ThreadId): void {
		void this.#unresolved.ask(threadId);
	}

	/** Stops automatic fetching of files for the thread. The caller continues in the same tick. */
	async claim(threadId: ThreadId): Promise<void> {
		while (this.#partials.isFetching(threadId)) await this.#partials.leave(threadId);
	}

	/** Fetches what earlier runs delivered and the folder lacks. */
	bringBack(threadId: ThreadId): Promise<BroughtBack> {
		return this.#partials.bringBack(threadId);
	}

	/** Called after every call with whether the bridge answered. */
	heard(answered: boolean): void {
		if (this.#closed || this.#away === !answered) return;
		this.#away = !answered;
		this.gatewayQueue.ask();
		if (!answered) return;
		this.#bridgeFeed.hurry();
		this.#activeTurns.hurry();
		void this.#unresolved.ask();
		this.#partials.retry();
	}

	/** The supervisor of this machine's bridge saw a trouble begin, change or end. */
	bridgeTroubled(trouble: BridgeTrouble | undefined): void {
		this.#parts.feed.bridgeEnded(isBridgeGone(trouble));
		if (trouble === undefined) this.#activeTurns.hurry();
	}

	/** A thread was written. */
	changed(before: Thread | undefined, after: Thread | undefined): void {
		if (queueFingerprint(before) !== queueFingerprint(after)) this.gatewayQueue.look();
		if (after?.pendingTurnId === undefined) this.#bridgeFeed.threadChanged();
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearInterval(this.#timer);
		await this.#bridgeFeed.close();
		await Promise.all([this.gatewayQueue.close(), this.#partials.close(), this.#unresolved.close(), this.#activeTurns.close()]);
	}

	#createQueue(): GatewayQueue {
		const { store, repository, feed, client, bounds, fault, queueChanged } = this.#parts;
		const places = new GatewayQueuePositions(feed);
		return new GatewayQueue({
			turns: () => store.gatewayTurns(),
			capabilities: (signal) => client.call("acp.capabilities", {}, signal),
			submit: (key) => {
				repository.execute(key.threadId, [{ type: "drain", turnId: key.turnId, at: timestamp() }]);
				void this.#activeTurns.startAfter(key);
			},
			askUnresolved: () => this.#unresolved.ask(),
			changed: (state, paused) => queueChanged(places.show(state, paused)),
			fault,
			askMs: bounds.queueAskMs,
		});
	}

	#waits({ threadId, turnId }: TurnKey): boolean {
		return findTurn(this.#parts.repository.get(threadId), turnId)?.status === "waiting";
	}

	#askAgain(): void {
		void this.#unresolved.ask();
		if (this.#away) void this.#probe();
	}

	/** `heard` receives the outcome. */
	async #probe(): Promise<void> {
		try {
			await this.#parts.client.call("acp.capabilities", {});
		} catch (error) {
			if (failureVerdict(error) === undefined) this.#parts.fault(error);
		}
	}
}

/** What a thread means to the queue: which turn waits or holds a slot. */
function queueFingerprint(thread: Thread | undefined): string {
	const turn = thread?.pendingTurnId === undefined ? undefined : findTurn(thread, thread.pendingTurnId);
	if (turn === undefined) return "";
	const holds = turn.status === "sending" || turn.status === "queued" || turn.status === "running";
	return `${turn.status === "waiting" ? "waits" : holds ? "holds" : "over"} ${turn.turnId}`;
}
