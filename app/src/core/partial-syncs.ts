import { limits, type ThreadId } from "@xworkmate/contracts";
import type { ArtifactSource } from "../bridge-client/index.ts";
import { type SyncBounds, type SyncResult, syncRun } from "../sync/index.ts";
import { currentTurn, type ThreadStore, type Turn } from "../threads/index.ts";
import { ensureThreadFolder } from "../workspace/index.ts";
import { type ThreadBook, timestamp } from "./thread-book.ts";

/** How often one run's files are fetched again by themselves; `sync` does it whenever a person asks. */
const ATTEMPTS = 5;

export interface PartialSyncParts {
	readonly home: string;
	readonly store: ThreadStore;
	readonly book: ThreadBook;
	readonly source: ArtifactSource;
	readonly bounds: SyncBounds;
	readonly fetchFailed: () => void;
	readonly isDeleting: (threadId: ThreadId) => boolean;
	readonly fault: (error: unknown) => void;
}

/**
 * Files of successful runs that did not all reach this disk, fetched again when the app starts and when
 * the bridge is reached again. The thread stays ready meanwhile, and whoever wants it goes first.
 */
export class PartialSyncs {
	readonly #parts: PartialSyncParts;
	readonly #attempts = new Map<string, number>();
	#closed = false;
	#again = false;
	#rounds: Promise<void> | undefined;
	#current: { readonly threadId: ThreadId; readonly stop: AbortController; readonly done: Promise<void> } | undefined;

	constructor(parts: PartialSyncParts) {
		this.#parts = parts;
	}

	retry(): void {
		this.#again = true;
		this.#rounds ??= this.#run();
	}

	isFetching(threadId: ThreadId): boolean {
		return this.#current?.threadId === threadId;
	}

	/** Somebody wants the thread: what is being fetched for it is left, and nothing of it published. */
	async leave(threadId: ThreadId): Promise<void> {
		if (this.#current?.threadId !== threadId) return;
		this.#current.stop.abort();
		await this.#current.done;
	}

	async close(): Promise<void> {
		this.#closed = true;
		this.#current?.stop.abort();
		await this.#rounds;
	}

	async #run(): Promise<void> {
		// What led here may be in the middle of its work.
		await Promise.resolve();
		while (this.#again && !this.#closed) {
			this.#again = false;
			const since = new Date(Date.now() - limits.unresolvedKeepMs).toISOString();
			for (const threadId of this.#parts.store.partialThreads(since)) {
				if (!this.#closed) await this.#retryOne(threadId);
			}
		}
		// In the tick that found nothing more to do: a wish that comes now begins anew.
		this.#rounds = undefined;
	}

	async #retryOne(threadId: ThreadId): Promise<void> {
		const due = this.#due(threadId);
		const count = this.#attempts.get(due?.runId ?? "") ?? 0;
		if (due?.runId === undefined || count >= ATTEMPTS) return;
		this.#attempts.set(due.runId, count + 1);
		const stop = new AbortController();
		const done = this.#sync(threadId, due, stop.signal).catch((error: unknown) => this.#parts.fault(error));
		this.#current = { threadId, stop, done };
		await done;
		this.#current = undefined;
	}

	/** The thread's current turn, when its files are what is missing and nothing else goes on. */
	#due(threadId: ThreadId): Turn | undefined {
		const thread = this.#parts.book.find(threadId);
		const turn = thread && currentTurn(thread);
		const idle = thread?.lifecycleStatus === "ready" && thread.pendingTurnId === undefined && !this.#parts.isDeleting(threadId);
		return idle && turn?.resultCode === "success" && turn.syncStatus === "partial" ? turn : undefined;
	}

	async #sync(threadId: ThreadId, { turnId, syncedPaths }: Turn, signal: AbortSignal): Promise<void> {
		const { home, store, book, source, bounds, fetchFailed } = this.#parts;
		const snapshot = store.turnRecord({ threadId, turnId })?.snapshot;
		if (snapshot === undefined) return;
		const thread = book.get(threadId);
		const folder = ensureThreadFolder(home, threadId);
		const { status, paths, detail }: SyncResult = await syncRun({ thread, snapshot, folder, source, signal, bounds });
		if (status === "stopped" || this.#due(threadId)?.turnId !== turnId) return;
		if (detail?.code === "TRANSFER_FAILED") fetchFailed();
		if (status === "partial" && paths.length === syncedPaths.length) return;
		const at = timestamp();
		const finish = { type: "finish_sync", turnId, runId: snapshot.runId, status, paths, at, ...(detail && { detail }) } as const;
		book.execute(threadId, [{ type: "start_sync", at }, finish]);
	}
}
