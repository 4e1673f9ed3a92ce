import type { ThreadId } from "@xworkmate/contracts";
import type { SurfaceStore } from "../store/surface-store.ts";
import type { AppEvents } from "./app-events.ts";
import type { ListedThread } from "./index.ts";

/**
 * Every thread as a list shows it. All threads are read once, and then only those that changed, so that a list of thousands opens quickly.
 */
export class ThreadList {
	readonly #store: Pick<SurfaceStore, "list" | "listed">;
	readonly #stale = new Set<ThreadId>();
	#known: Map<ThreadId, ListedThread> | undefined;

	constructor(store: Pick<SurfaceStore, "list" | "listed">, events: AppEvents) {
		this.#store = store;
		events.on("threadWritten", ({ threadId }) => this.#changed(threadId));
		events.on("summaryChanged", (threadId) => this.#changed(threadId));
	}

	/** Most recently changed first. */
	all(): readonly ListedThread[] {
		this.#known ??= new Map(this.#store.list().map((thread) => [thread.threadId, thread]));
		for (const threadId of this.#stale) this.#read(threadId, this.#known);
		this.#stale.clear();
		return [...this.#known.values()].sort(newestFirst);
	}

	/** Undefined once the thread has been deleted. */
	get(threadId: ThreadId): ListedThread | undefined {
		if (this.#known === undefined) return this.#store.listed(threadId);
		if (this.#stale.delete(threadId)) this.#read(threadId, this.#known);
		return this.#known.get(threadId);
	}

	/** Marks a thread to be read again at the next request. */
	#changed(threadId: ThreadId): void {
		if (this.#known !== undefined) this.#stale.add(threadId);
	}

	#read(threadId: ThreadId, known: Map<ThreadId, ListedThread>): void {
		const thread = this.#store.listed(threadId);
		if (thread === undefined) known.delete(threadId);
		else known.set(threadId, thread);
	}
}

function newestFirst(a: ListedThread, b: ListedThread): number {
	return a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0;
}
