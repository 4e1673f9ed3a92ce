import { omitUndefined, type ThreadId, type Timestamp } from "@xworkmate/contracts";
import type { AppEvents, ChangeExtras } from "./app-events.ts";
import { applyAll, decide, type Thread, type ThreadCommand, type ThreadStore, threadNotFound } from "./index.ts";

/** Decides, writes, then notifies, so that no change is announced before it is on disk. There is one repository per process. */
export class ThreadRepository {
	readonly #store: ThreadStore;
	readonly #events: AppEvents;
	/** Threads with an active turn that this process has written to; all others are read on request. */
	readonly #busy = new Map<ThreadId, Thread>();

	constructor(store: ThreadStore, events: AppEvents) {
		this.#store = store;
		this.#events = events;
	}

	find(threadId: ThreadId): Thread | undefined {
		return this.#busy.get(threadId) ?? this.#store.findThread(threadId);
	}

	/** @throws AppError THREAD_NOT_FOUND */
	get(threadId: ThreadId): Thread {
		const thread = this.find(threadId);
		if (thread === undefined) throw threadNotFound();
		return thread;
	}

	/** Adds the thread's title to each record. */
	titled<T extends { readonly threadId: ThreadId }>(records: readonly T[]): readonly (T & { readonly threadTitle?: string })[] {
		return records.map((record) => {
			const threadTitle = this.find(record.threadId)?.title;
			return { ...record, ...omitUndefined({ threadTitle }) };
		});
	}

	/** @throws AppError THREAD_NOT_FOUND if the thread was deleted; an unknown id is accepted, because it may start a new thread */
	refuseDeleted(threadId: ThreadId): void {
		if (this.find(threadId) === undefined && this.#store.wasDeleted(threadId)) throw threadNotFound();
	}

	/**
	 * Carries out commands as one change.
	 * @throws AppError if `decide` refuses
	 */
	execute(threadId: ThreadId, commands: readonly ThreadCommand[], extras: ChangeExtras = {}): Thread {
		const before = this.find(threadId);
		const after = commands.reduce<Thread | undefined>((thread, command) => applyAll(thread, decide(thread, command)), before);
		if (after === undefined) throw threadNotFound();
		if (after !== before || extras.updates !== undefined) this.#store.commit({ before, after, ...extras });
		if (after.pendingTurnId === undefined) this.#busy.delete(threadId);
		else this.#busy.set(threadId, after);
		this.#events.emit("threadWritten", { threadId, before, after, ...extras });
		return after;
	}

	delete(threadId: ThreadId): void {
		const before = this.find(threadId);
		this.#store.deleteThread(threadId);
		this.#busy.delete(threadId);
		this.#events.emit("threadWritten", { threadId, before, after: undefined });
	}
}

export function timestamp(date: Date = new Date()): Timestamp {
	return date.toISOString();
}
