import { omitUndefined, type ThreadId } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import { type GatewayQueuePosition, RESUMED, type TurnEvent } from "../api/app-api.ts";
import type { Connection } from "../bridge-client/index.ts";

import type { FilesOfThreads } from "../files/thread-files.ts";
import { type BridgeTrouble, isBridgeGone } from "../process/bridge/bridge-trouble.ts";
import type { AppEvents, WrittenThread } from "../threads/app-events.ts";
import type { ThreadStore, UpdateBatch } from "../threads/domain/thread-store.ts";
import type { TranscriptPage } from "../threads/domain/turn-record.ts";
import { findTurn, isSettled, type TurnKey } from "../threads/index.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";

const PAGE = 200;

/** The live state of an active turn, in addition to its stored updates. */
interface LiveState {
	readonly connection?: Connection;
	readonly syncing?: { readonly files: number; readonly totalBytes: number };
	/** Absent once the turn has left the app's queue. */
	readonly gatewayQueue?: GatewayQueuePosition | undefined;
}

export interface TurnFeedParts {
	readonly store: ThreadStore;
	readonly repository: ThreadRepository;
	readonly events: AppEvents;
	readonly files: Pick<FilesOfThreads, "replaced">;
}

/**
 * Lets any number of watchers follow turns, each with its own cursor. A watcher that keeps up receives the turn's newest batch. Older
 * updates are read from the store, so a slow watcher takes no extra memory.
 */
export class TurnFeed {
	readonly #parts: TurnFeedParts;
	readonly #live = new Map<string, LiveState>();
	readonly #newest = new Map<string, UpdateBatch>();
	readonly #watchers = new Map<ThreadId, Set<AutoResetEvent>>();
	#trouble: BridgeTrouble | undefined;
	#closed = false;

	constructor(parts: TurnFeedParts) {
		this.#parts = parts;
		parts.events.on("threadWritten", (written) => this.#written(written));
		parts.events.on("bridgeChanged", ({ trouble }) => this.#bridgeTroubled(trouble));
	}

	/** False while contact with the turn's run is lost: its stored state may be out of date. */
	isInTouch(key: TurnKey): boolean {
		return this.#trouble === undefined && this.#isConnected(key);
	}

	#isConnected(key: TurnKey): boolean {
		const { connection } = this.#live.get(name(key)) ?? {};
		return connection === undefined || connection.state === "restored";
	}

	/** Tells all watches whether the bridge process that this app started has ended. */
	#bridgeTroubled(trouble: BridgeTrouble | undefined): void {
		const wasGone = isBridgeGone(this.#trouble);
		this.#trouble = trouble;
		if (isBridgeGone(trouble) === wasGone) return;
		for (const threadId of this.#watchers.keys()) this.ring(threadId);
	}

	#written({ threadId, updates: batch }: WrittenThread): void {
		if (batch !== undefined) {
			const key = { threadId, turnId: batch.turnId };
			this.#newest.set(name(key), batch);
		}
		this.ring(threadId);
	}

	ring(threadId: ThreadId): void {
		for (const changed of this.#watchers.get(threadId) ?? []) changed.set();
	}

	show(key: TurnKey, state: LiveState): void {
		const before = this.#isConnected(key);
		this.#live.set(name(key), { ...this.#live.get(name(key)), ...state });
		this.ring(key.threadId);
		if (this.#isConnected(key) !== before) this.#parts.events.emit("summaryChanged", key.threadId);
	}

	/** Call this when the turn has left the queue, because it was started or given up. */
	leaveQueue(key: TurnKey): void {
		if (this.#live.has(name(key))) this.show(key, { gatewayQueue: undefined });
		if (this.#parts.repository.find(key.threadId)?.pendingTurnId !== key.turnId) this.forget(key);
	}

	/** Call this when this app no longer drives the turn. */
	forget(key: TurnKey): void {
		this.#live.delete(name(key));
		this.#newest.delete(name(key));
		this.ring(key.threadId);
	}

	/** Ends every watch. */
	close(): void {
		this.#closed = true;
		for (const threadId of this.#watchers.keys()) this.ring(threadId);
	}

	/** Leaving the loop ends the watch immediately, even if no event arrives. */
	watch(key: TurnKey, afterSeq: number): AsyncIterableIterator<TurnEvent> {
		const changed = new AutoResetEvent();
		const watchers = this.#watchers.get(key.threadId) ?? new Set();
		this.#watchers.set(key.threadId, watchers.add(changed));
		const leave = () => {
			changed.close();
			watchers.delete(changed);
			if (watchers.size === 0 && this.#watchers.get(key.threadId) === watchers) this.#watchers.delete(key.threadId);
		};
		const events = this.#events(key, afterSeq, changed, leave);
		return {
			[Symbol.asyncIterator]() {
				return this;
			},
			next: () => events.next(),
			return: () => {
				leave();
				return events.return(undefined);
			},
		};
	}

	async *#events(key: TurnKey, afterSeq: number, changed: AutoResetEvent, leave: () => void): AsyncGenerator<TurnEvent, undefined> {
		let seq = afterSeq;
		let shown: Shown = {};
		try {
			while (!changed.closed && !this.#closed) {
				// The end is read before the updates: if the turn has already ended, the updates read below are the last ones.
				const end = this.#end(key);
				const live = this.#shown(key);
				// Updates that arrived after contact was restored are shown after that event; those that arrived before contact was lost, before
				// that event.
				if (isLost(shown.connection) && !isLost(live.connection)) {
					yield { type: "connection_restored" };
					const { connection: _lost, ...rest } = shown;
					shown = rest;
				}
				const page = this.#page(key, seq);
				for (const update of page) {
					seq = update.seq;
					yield { type: "update", update };
				}
				if (page.length > 0) continue;
				yield* changes(shown, live);
				shown = live;
				if (end !== undefined) {
					yield { ...end, ...(await this.#parts.files.replaced(end.thread, end.turn.runId)) };
					return;
				}
				// If anything has changed since the state was read, the event is set, and this wait ends at once.
				await changed.wait();
			}
		} finally {
			leave();
		}
	}

	#page(key: TurnKey, seq: number): TranscriptPage {
		const newest = this.#newest.get(name(key));
		if (newest === undefined || seq < newest.after) return this.#parts.store.readUpdates(key, seq, PAGE);
		return newest.items.filter((update) => update.seq > seq);
	}

	#shown(key: TurnKey): Shown {
		const live = this.#live.get(name(key)) ?? {};
		if (live.connection === undefined || live.connection.state === "restored" || !isBridgeGone(this.#trouble)) return live;
		return this.#executes(key) ? { ...live, bridgeEnded: true } : live;
	}

	/**
	 * True if the bridge was executing the run, so that the run stopped with the bridge. A gateway's runs continue without the bridge, and
	 * queued turns start later.
	 */
	#executes(key: TurnKey): boolean {
		const turn = findTurn(this.#parts.repository.get(key.threadId), key.turnId);
		return turn?.status === "running" && this.#parts.store.turnRecord(key)?.request.routing.executionTarget === "agent";
	}

	#end(key: TurnKey): Extract<TurnEvent, { type: "ended" }> | undefined {
		const thread = this.#parts.repository.get(key.threadId);
		const turn = findTurn(thread, key.turnId);
		if (turn === undefined || thread.pendingTurnId === key.turnId) return undefined;
		if (!isSettled(turn.status) && turn.status !== "unresolved") return undefined;
		const snapshot = this.#parts.store.turnRecord(key)?.snapshot;
		return { type: "ended", turn, thread, ...(snapshot && { snapshot }) };
	}
}

interface Shown extends LiveState {
	readonly bridgeEnded?: true;
}

/** All changes except a restored connection, which is reported before the updates that followed it. */
function* changes(shown: Shown, live: Shown): Generator<TurnEvent> {
	const { connection, bridgeEnded, syncing, gatewayQueue } = live;
	if (gatewayQueue !== undefined && gatewayQueue !== shown.gatewayQueue) yield { type: "gatewayQueue", ...gatewayQueue };
	if (isLost(connection) && (connection !== shown.connection || (bridgeEnded && !shown.bridgeEnded))) {
		const { code, local } = connection.state === "lost" ? connection : { code: RESUMED, local: undefined };
		yield { type: "connection_lost", code, ...omitUndefined({ bridgeEnded, local }) };
	}
	if (syncing !== undefined && syncing !== shown.syncing) yield { type: "syncing", ...syncing };
}

function isLost(connection: Connection | undefined): connection is Exclude<Connection, { readonly state: "restored" }> {
	return connection !== undefined && connection.state !== "restored";
}

function name({ threadId, turnId }: TurnKey): string {
	return JSON.stringify([threadId, turnId]);
}
