import type { ThreadId } from "@xworkmate/contracts";
import { type ArtifactSource, type BridgeClient, type ClientBounds, failureVerdict } from "../bridge-client/index.ts";
import type { FilesOfThreads } from "../files/thread-files.ts";
import { GatewayQueuePositions } from "../gateway-queue/gateway-queue-positions.ts";
import { GatewayQueue } from "../gateway-queue/index.ts";
import type { SyncBounds } from "../sync/index.ts";
import type { AppEvents } from "../threads/app-events.ts";
import { findTurn, isSettled, type Thread, type ThreadStore, type TurnKey } from "../threads/index.ts";
import type { ThreadDeletion } from "../threads/thread-deletion.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { removeEmptyThreadFolder } from "../workspace/index.ts";
import { ActiveTurns } from "./active-turns.ts";
import { Adoption } from "./adoption.ts";
import { BridgeFeed } from "./bridge-feed.ts";
import { PartialSyncs } from "./partial-syncs.ts";
import type { TurnFeed } from "./turn-feed.ts";
import { UnresolvedTurns } from "./unresolved-turns.ts";

export interface BackgroundTurnsBounds {
	readonly client: ClientBounds;
	readonly sync: SyncBounds;
	/** Milliseconds between two queries about unresolved turns. */
	readonly unresolvedAskMs: number;
	/** Milliseconds between two queries to an unavailable bridge or gateway while turns wait for it. */
	readonly queueAskMs: number;
}

export interface BackgroundTurnsParts {
	readonly home: string;
	readonly store: ThreadStore;
	readonly repository: ThreadRepository;
	readonly feed: TurnFeed;
	readonly client: BridgeClient;
	/** The address of a bridge elsewhere; undefined if the app asks the bridge of its own home. */
	readonly bridgeUrl: string | undefined;
	readonly source: ArtifactSource;
	readonly events: AppEvents;
	readonly deletion: Pick<ThreadDeletion, "isDeleting">;
	readonly files: Pick<FilesOfThreads, "list">;
	readonly bounds: BackgroundTurnsBounds;
	readonly fault: (error: unknown) => void;
}

/** Work in the background: active turns, the queue, unresolved turns, missing files, and the bridge's changes, such as new runs. */
export class BackgroundTurns {
	readonly active: ActiveTurns;
	readonly gatewayQueue: GatewayQueue;
	readonly unresolved: UnresolvedTurns;
	readonly partials: PartialSyncs;
	readonly #parts: BackgroundTurnsParts;
	readonly #bridgeFeed: BridgeFeed;
	readonly #timer: NodeJS.Timeout;
	#away = false;
	#closed = false;

	constructor(parts: BackgroundTurnsParts) {
		const { home, store, repository, events, feed, client, bridgeUrl, source, deletion, files, bounds, fault } = parts;
		const fetching = { source, fetchFailed: () => this.#heard(false) };
		this.#parts = parts;
		this.active = new ActiveTurns(
			{
				home,
				repository,
				store,
				feed,
				client,
				bridgeUrl,
				...fetching,
				mayWait: () => this.gatewayQueue.mayWait(),
				origin: () => this.#bridgeFeed.origin,
				bounds,
			},
			fault,
		);
		const takeUp = (key: TurnKey) => void this.active.start(key, true);
		this.unresolved = new UnresolvedTurns({ store, repository, client, bridgeUrl, takeUp, fault });
		this.partials = new PartialSyncs({ home, store, repository, ...fetching, deletion, files, bounds: bounds.sync, fault });
		const adoption = new Adoption({ store, repository, client, bridgeUrl, deletion, partials: this.partials, carryOn: takeUp });
		this.#bridgeFeed = new BridgeFeed({ store, client, bounds: bounds.client, adoption, events, fault });
		this.gatewayQueue = this.#createQueue();
		this.#timer = setInterval(() => this.#askAgain(), bounds.unresolvedAskMs).unref();
		events.on("threadWritten", ({ before, after }) => {
			if (queueFingerprint(before) !== queueFingerprint(after)) this.gatewayQueue.look();
			if (before?.pendingTurnId !== after?.pendingTurnId || after === undefined) this.#dropUnusedFiles();
			if (after?.pendingTurnId === undefined) this.#bridgeFeed.threadChanged();
			// The run that ended may have replaced files that an earlier run still lacked.
			if (before?.pendingTurnId !== undefined && after !== undefined) void this.partials.look(after.threadId, "earlier");
			if (after !== undefined && neverRan(after)) this.#dropEmptyFolder(after.threadId);
		});
		events.on("threadOpened", (threadId) => {
			void this.unresolved.ask(threadId);
			void this.partials.look(threadId);
		});
		events.on("filesChanged", (threadId) => void this.partials.look(threadId));
		events.on("bridgeHeard", (answered) => this.#heard(answered));
		events.on("bridgeChanged", ({ trouble }) => {
			if (trouble === undefined) this.active.hurry();
		});
	}

	/** Resumes the turns, downloads and queues that an earlier process left unfinished. */
	resume(): void {
		for (const key of this.#parts.store.pendingTurns()) if (!this.#waits(key)) void this.active.start(key, true);
		void this.unresolved.ask();
		this.partials.retry();
		this.gatewayQueue.open();
		this.#dropUnusedFiles();
		this.#bridgeFeed.start();
	}

	#heard(answered: boolean): void {
		if (this.#closed || this.#away === !answered) return;
		this.#away = !answered;
		this.gatewayQueue.ask();
		if (!answered) return;
		this.#bridgeFeed.hurry();
		this.active.hurry();
		void this.unresolved.ask();
		this.partials.retry();
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearInterval(this.#timer);
		await this.#bridgeFeed.close();
		await Promise.all([this.gatewayQueue.close(), this.partials.close(), this.unresolved.close(), this.active.close()]);
	}

	#createQueue(): GatewayQueue {
		const { store, repository, events, feed, client, bounds, fault } = this.#parts;
		const places = new GatewayQueuePositions(feed);
		return new GatewayQueue({
			turns: () => store.gatewayTurns(),
			capabilities: (signal) => client.call("acp.capabilities", {}, signal),
			submit: (key) => {
				repository.execute(key.threadId, [{ type: "drain", turnId: key.turnId, at: timestamp() }]);
				void this.active.startAfter(key);
			},
			askUnresolved: () => this.unresolved.ask(),
			changed: (state, paused) => void events.emit("gatewayQueueChanged", places.show(state, paused)),
			fault,
			askMs: bounds.queueAskMs,
		});
	}

	/** Deletes the bytes of attached files that no turn needs anymore. There may be some after a turn has started, ended or been deleted. */
	#dropUnusedFiles(): void {
		try {
			this.#parts.store.dropUnusedFiles();
		} catch (error) {
			this.#parts.fault(error);
		}
	}

	/** Removes the folder of a thread that never had a run, because nothing can have been saved to that folder. */
	#dropEmptyFolder(threadId: ThreadId): void {
		try {
			removeEmptyThreadFolder(this.#parts.home, threadId);
		} catch (error) {
			this.#parts.fault(error);
		}
	}

	/** Also false if the thread can't be read: its turn is then started, and retried until the thread can be read. */
	#waits({ threadId, turnId }: TurnKey): boolean {
		try {
			return findTurn(this.#parts.repository.get(threadId), turnId)?.status === "waiting";
		} catch {
			return false;
		}
	}

	#askAgain(): void {
		void this.unresolved.ask();
		if (this.#away) void this.#probe();
	}

	/** Checks whether the bridge answers. The client's `heard` receives the outcome. */
	async #probe(): Promise<void> {
		try {
			await this.#parts.client.call("acp.capabilities", {});
		} catch (error) {
			if (failureVerdict(error) === undefined) this.#parts.fault(error);
		}
	}
}

/** True if every turn was refused or cancelled before the bridge had a run for it. */
function neverRan({ pendingTurnId, turns }: Thread): boolean {
	return pendingTurnId === undefined && turns.every(({ runId, status }) => runId === undefined && isSettled(status));
}

/** A string that changes whenever the thread's place in the queue changes: which turn waits or holds a slot. */
function queueFingerprint(thread: Thread | undefined): string {
	const turn = thread?.pendingTurnId === undefined ? undefined : findTurn(thread, thread.pendingTurnId);
	if (turn === undefined) return "";
	const holds = turn.status === "sending" || turn.status === "queued" || turn.status === "running";
	return `${turn.status === "waiting" ? "waits" : holds ? "holds" : "over"} ${turn.turnId}`;
}
