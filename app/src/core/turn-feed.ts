import type { ThreadId } from "@xworkmate/contracts";
import type { Connection } from "../bridge-client/index.ts";
import type { LanePlace } from "../lane/index.ts";
import { findTurn, isSettled, type TurnKey } from "../threads/index.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import type { TurnEvent } from "./app-api.ts";
import { Bell } from "./bell.ts";
import type { ThreadBook } from "./thread-book.ts";

const PAGE = 200;

/** What a turn under way shows besides its stored updates. */
interface LiveState {
	readonly connection?: Connection;
	readonly syncing?: { readonly files: number; readonly totalBytes: number };
	/** Absent once the turn has left the app's lane. */
	readonly lane?: LanePlace | undefined;
}

/**
 * Lets any number of watchers follow turns. Updates are read from the store by a cursor of each
 * watcher's own, so a slow one costs no memory; a change only rings its bell.
 */
export class TurnFeed {
	readonly #store: ThreadStore;
	readonly #book: ThreadBook;
	readonly #live = new Map<string, LiveState>();
	readonly #bells = new Map<ThreadId, Set<Bell>>();
	#closed = false;

	constructor(store: ThreadStore, book: ThreadBook) {
		this.#store = store;
		this.#book = book;
	}

	ring(threadId: ThreadId): void {
		for (const bell of this.#bells.get(threadId) ?? []) bell.ring();
	}

	show(key: TurnKey, state: LiveState): void {
		this.#live.set(name(key), { ...this.#live.get(name(key)), ...state });
		this.ring(key.threadId);
	}

	/** The turn waits no more: it was drained, or given up. */
	leaveLane(key: TurnKey): void {
		if (this.#live.has(name(key))) this.show(key, { lane: undefined });
		if (this.#book.find(key.threadId)?.pendingTurnId !== key.turnId) this.forget(key);
	}

	/** The turn is no longer under way here. */
	forget(key: TurnKey): void {
		this.#live.delete(name(key));
		this.ring(key.threadId);
	}

	/** Ends every watch. */
	close(): void {
		this.#closed = true;
		for (const threadId of this.#bells.keys()) this.ring(threadId);
	}

	/** Leaving the loop ends the watch at once, even while nothing happens. */
	watch(key: TurnKey, afterSeq: number): AsyncIterableIterator<TurnEvent> {
		const bell = new Bell();
		const bells = this.#bells.get(key.threadId) ?? new Set();
		this.#bells.set(key.threadId, bells.add(bell));
		const leave = () => {
			bell.stop();
			bells.delete(bell);
			if (bells.size === 0 && this.#bells.get(key.threadId) === bells) this.#bells.delete(key.threadId);
		};
		const events = this.#events(key, afterSeq, bell, leave);
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

	async *#events(key: TurnKey, afterSeq: number, bell: Bell, leave: () => void): AsyncGenerator<TurnEvent, undefined> {
		let seq = afterSeq;
		let shown: LiveState = {};
		try {
			while (!bell.stopped && !this.#closed) {
				const rung = bell.next();
				// Looked at before the updates: when the turn is over by now, the page below is the last.
				const end = this.#end(key);
				const page = this.#store.readUpdates(key, seq, PAGE);
				for (const update of page) {
					seq = update.seq;
					yield { type: "update", update };
				}
				const live = this.#live.get(name(key)) ?? {};
				yield* changes(shown, live);
				shown = live;
				if (page.length > 0) continue;
				if (end !== undefined) {
					yield end;
					return;
				}
				await rung;
			}
		} finally {
			leave();
		}
	}

	#end(key: TurnKey): TurnEvent | undefined {
		const thread = this.#book.get(key.threadId);
		const turn = findTurn(thread, key.turnId);
		if (turn === undefined || thread.pendingTurnId === key.turnId) return undefined;
		if (!isSettled(turn.status) && turn.status !== "unresolved") return undefined;
		const snapshot = this.#store.turnRecord(key)?.snapshot;
		return { type: "ended", turn, thread, ...(snapshot && { snapshot }) };
	}
}

function* changes(shown: LiveState, live: LiveState): Generator<TurnEvent> {
	const { connection, syncing, lane } = live;
	if (lane !== undefined && lane !== shown.lane) yield { type: "lane", ...lane };
	if (connection !== shown.connection && connection?.state === "lost") yield { type: "connection_lost", code: connection.code };
	if (connection?.state === "restored" && shown.connection?.state === "lost") yield { type: "connection_restored" };
	if (syncing !== undefined && syncing !== shown.syncing) yield { type: "syncing", ...syncing };
}

function name({ threadId, turnId }: TurnKey): string {
	return JSON.stringify([threadId, turnId]);
}
