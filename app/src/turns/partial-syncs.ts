import { limits, omitUndefined, type ThreadId } from "@xworkmate/contracts";
import type { BroughtBack, LackingFile } from "../api/app-api.ts";
import type { ArtifactSource } from "../bridge-client/index.ts";
import { isSavedInFull } from "../files/file-state.ts";
import { countUnlisted, findMissing, savedBefore, unlistedWhy } from "../files/missing-files.ts";
import type { FilesOfThreads } from "../files/thread-files.ts";
import { reasonOf, type SyncBounds, type SyncResult, syncRun } from "../sync/index.ts";
import { currentTurn, type ThreadCommand, type ThreadStore, type Turn } from "../threads/index.ts";
import type { ThreadDeletion } from "../threads/thread-deletion.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";

/** How many times the files of one run are fetched again automatically while the app is open. The user can start any number of syncs. */
const ATTEMPTS = 5;

export interface PartialSyncParts {
	readonly home: string;
	readonly store: ThreadStore;
	readonly repository: ThreadRepository;
	readonly source: ArtifactSource;
	readonly bounds: SyncBounds;
	readonly fetchFailed: () => void;
	readonly deletion: Pick<ThreadDeletion, "isDeleting">;
	readonly files: Pick<FilesOfThreads, "list">;
	readonly fault: (error: unknown) => void;
}

/**
 * Fetches files of successful runs that did not reach this disk, when the app starts and when the bridge is reachable again. In the
 * meantime, the thread stays ready, and any other use of the thread takes precedence.
 */
export class PartialSyncs {
	readonly #parts: PartialSyncParts;
	readonly #attempts = new Map<string, number>();
	#closed = false;
	#again = false;
	#rounds: Promise<void> | undefined;
	readonly #fetches = new Map<ThreadId, { readonly stop: AbortController; readonly done: Promise<void> }>();

	constructor(parts: PartialSyncParts) {
		this.#parts = parts;
	}

	retry(): void {
		this.#again = true;
		this.#rounds ??= this.#run();
	}

	/**
	 * Marks the files of runs as synced of which nothing is left to save: because the user put the files back, an earlier run's files were
	 * downloaded again, or a later run's files replaced them. `earlier`: leaves the current run as its own sync just reported it.
	 */
	async look(threadId: ThreadId, which: "all" | "earlier" = "all"): Promise<void> {
		try {
			if (this.#partial(threadId, which).length === 0 || this.#fetches.has(threadId)) return;
			const { runs } = await this.#parts.files.list(threadId);
			if (this.#closed || this.#fetches.has(threadId)) return;
			const at = timestamp();
			const settled = this.#partial(threadId, which).flatMap(({ turnId, syncedPaths }): ThreadCommand[] => {
				const run = runs.find((one) => one.turnId === turnId);
				const isSettled = run !== undefined && isSavedInFull(run, syncedPaths);
				return isSettled ? [{ type: "settle_sync", turnId, at, paths: run.files.map(({ relativePath }) => relativePath) }] : [];
			});
			if (settled.length > 0) this.#parts.repository.execute(threadId, settled);
		} catch (error) {
			// The store may be closed while the folder is still being read.
			if (!this.#closed) this.#parts.fault(error);
		}
	}

	/**
	 * Fetches, at the user's request, files that earlier runs delivered and that are missing from the folder. The thread stays ready in the
	 * meantime.
	 */
	async bringBack(threadId: ThreadId): Promise<BroughtBack> {
		const back: { paths: string[]; lacking: LackingFile[] } = { paths: [], lacking: [] };
		await this.#fetch(threadId, (signal) => this.#bringBack(threadId, back, signal));
		return back;
	}

	/**
	 * Stops fetching files for the thread, because something else needs the thread. No files are published, unless publishing has already
	 * begun. When the promise resolves, nothing is being fetched or published, and the caller has to continue in the same tick.
	 */
	async leave(threadId: ThreadId): Promise<void> {
		for (let fetch = this.#fetches.get(threadId); fetch !== undefined; fetch = this.#fetches.get(threadId)) {
			fetch.stop.abort();
			await fetch.done;
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		for (const threadId of this.#fetches.keys()) await this.leave(threadId);
		await this.#rounds;
	}

	async #run(): Promise<void> {
		// Deferred by a microtask, because the caller may be in the middle of a change.
		await Promise.resolve();
		while (this.#again && !this.#closed) {
			this.#again = false;
			const since = new Date(Date.now() - limits.unresolvedKeepMs).toISOString();
			for (const threadId of this.#parts.store.partialThreads(since)) {
				if (!this.#closed) await this.#retryOne(threadId);
			}
		}
		// Cleared in the same tick in which nothing more was left to do, so that the next request starts a new round.
		this.#rounds = undefined;
	}

	async #retryOne(threadId: ThreadId): Promise<void> {
		const due = this.#due(threadId);
		const count = this.#attempts.get(due?.runId ?? "") ?? 0;
		if (due?.runId === undefined || count >= ATTEMPTS || this.#fetches.has(threadId)) return;
		this.#attempts.set(due.runId, count + 1);
		await this.#fetch(threadId, (signal) => this.#sync(threadId, due, signal)).catch((error: unknown) => this.#parts.fault(error));
	}

	async #fetch(threadId: ThreadId, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
		const stop = new AbortController();
		const ended = Promise.withResolvers<void>();
		this.#fetches.set(threadId, { stop, done: ended.promise });
		try {
			await act(stop.signal);
		} finally {
			this.#fetches.delete(threadId);
			ended.resolve();
		}
		await this.look(threadId, "earlier");
	}

	/** The thread's successful turns whose files are not all in the folder. None while something else is in progress. */
	#partial(threadId: ThreadId, which: "all" | "earlier"): readonly Turn[] {
		const thread = this.#parts.repository.find(threadId);
		const idle = thread?.lifecycleStatus === "ready" && thread.pendingTurnId === undefined && !this.#parts.deletion.isDeleting(threadId);
		if (!idle) return [];
		const left = which === "all" ? undefined : currentTurn(thread);
		return thread.turns.filter((turn) => turn.resultCode === "success" && turn.syncStatus === "partial" && turn !== left);
	}

	/** The thread's current turn, if only its files are missing and nothing else is in progress. */
	#due(threadId: ThreadId): Turn | undefined {
		const thread = this.#parts.repository.find(threadId);
		const current = thread && currentTurn(thread);
		return this.#partial(threadId, "all").find(({ turnId }) => turnId === current?.turnId);
	}

	async #bringBack(threadId: ThreadId, back: { paths: string[]; lacking: LackingFile[] }, signal: AbortSignal): Promise<void> {
		const { home, store, repository, source, bounds } = this.#parts;
		const thread = repository.get(threadId);
		const folder = ensureThreadFolder(home, threadId);
		// The current run's files are handled by the thread's own sync.
		const isCurrent = ({ turnId }: Pick<Turn, "turnId">) => turnId === currentTurn(thread)?.turnId;
		const records = store.turnRecords(threadId);
		const unlisted = records.reduce((sum, record) => sum + (isCurrent(record.turn) ? 0 : countUnlisted(record)), 0);
		if (unlisted > 0) back.lacking.push({ path: `${unlisted} more`, message: unlistedWhy, isUnlisted: true });
		for (const { snapshot, paths: only, taken } of await findMissing(records, folder)) {
			if (isCurrent(snapshot)) continue;
			for (const path of taken) back.lacking.push({ path, message: "something else is in its place" });
			if (only.size === 0) continue;
			const { status, paths, problems } = await syncRun({ thread, snapshot, only, folder: () => folder, source, signal, bounds });
			back.paths.push(...paths);
			for (const path of only) {
				if (paths.includes(path)) continue;
				// A problem without a path concerns all files: the folder, or the transfer.
				const problem = problems.find((one) => one.path === path) ?? problems.find((one) => one.path === undefined);
				const otherwise = status === "stopped" ? "the download was interrupted" : "the bridge did not send it";
				back.lacking.push({ path, message: problem === undefined ? otherwise : reasonOf(problem) });
			}
		}
	}

	async #sync(threadId: ThreadId, { turnId, syncedPaths, resultDetail }: Turn, signal: AbortSignal): Promise<void> {
		const { home, store, repository, source, bounds, fetchFailed } = this.#parts;
		const snapshot = store.turnRecord({ threadId, turnId })?.snapshot;
		if (snapshot === undefined) return;
		const thread = repository.get(threadId);
		const folder = () => ensureThreadFolder(home, threadId);
		const before = await savedBefore(threadFolder(home, threadId), syncedPaths);
		const { status, paths, detail }: SyncResult = await syncRun({ thread, snapshot, before, folder, source, signal, bounds });
		if (status === "stopped" || this.#due(threadId)?.turnId !== turnId) return;
		if (detail?.code === "TRANSFER_FAILED") fetchFailed();
		if (status === "partial" && paths.length === syncedPaths.length && detail?.message === resultDetail?.message) return;
		const at = timestamp();
		repository.execute(threadId, [
			{ type: "start_sync", at },
			{ type: "finish_sync", turnId, runId: snapshot.runId, at, status, paths, ...omitUndefined({ detail }) },
		]);
	}
}
