import type { ThreadId } from "@xworkmate/contracts";
import type { AppEvents } from "../threads/app-events.ts";
import type { Thread } from "../threads/index.ts";
import { FolderWatch } from "./folder-watch.ts";
import type { FilesOfThreads } from "./thread-files.ts";

/** Pages renew a watch well within this time; a watch that is not renewed ends. */
const LEASE_MS = 90_000;
/** Twice as many as pages can follow the app at once. */
const THREADS = 8;

export interface FolderWatchesParts {
	readonly events: AppEvents;
	readonly files: Pick<FilesOfThreads, "places">;
	/** Receives changes. */
	readonly pages: { readonly isWatched: boolean };
	readonly fault: (error: unknown) => void;
	readonly leaseMs?: number;
	readonly lookMs?: number;
}

interface Watched {
	readonly watch: FolderWatch;
	until: number;
}

/** Watches folders of threads while pages show them: each for a time that the page renews, and a limited number at once. */
export class FolderWatches {
	readonly #parts: FolderWatchesParts;
	readonly #watched = new Map<ThreadId, Watched>();

	constructor(parts: FolderWatchesParts) {
		this.#parts = parts;
		parts.events.on("threadWritten", ({ threadId, before, after }) => this.#threadWritten(threadId, before, after));
	}

	get count(): number {
		return this.#watched.size;
	}

	/**
	 * True when the folder was not watched before, so that earlier changes have not been reported.
	 * @throws AppError
	 * THREAD_NOT_FOUND
	 */
	async follow(threadId: ThreadId): Promise<boolean> {
		const { events, files, pages, fault, leaseMs = LEASE_MS, lookMs } = this.#parts;
		files.places(threadId);
		const until = performance.now() + leaseMs;
		const known = this.#watched.get(threadId);
		// The most recently requested watch is dropped last.
		this.#watched.delete(threadId);
		if (known !== undefined) {
			known.until = until;
			this.#watched.set(threadId, known);
			return false;
		}
		for (const oldest of this.#watched.keys()) {
			if (this.#watched.size < THREADS) break;
			this.#drop(oldest);
		}
		const isWanted = () => {
			if (pages.isWatched && performance.now() < watched.until) return true;
			if (this.#watched.get(threadId) === watched) this.#watched.delete(threadId);
			return false;
		};
		const watch = new FolderWatch({
			...{ isWanted, fault, ...(lookMs !== undefined && { lookMs }) },
			places: () => files.places(threadId),
			changed: () => void events.emit("filesChanged", threadId),
		});
		const watched: Watched = { watch, until };
		this.#watched.set(threadId, watched);
		await watch.begin();
		return true;
	}

	/** The thread's runs may have saved other files there, or the thread was deleted. */
	#threadWritten(threadId: ThreadId, before: Thread | undefined, after: Thread | undefined): void {
		if (after === undefined) this.#drop(threadId);
		else if (savedMark(before) !== savedMark(after)) this.#watched.get(threadId)?.watch.renew();
	}

	close(): void {
		for (const threadId of [...this.#watched.keys()]) this.#drop(threadId);
	}

	#drop(threadId: ThreadId): void {
		this.#watched.get(threadId)?.watch.close();
		this.#watched.delete(threadId);
	}
}

/** Changes with the files saved into the folder; updates of a run alone do not change it. */
function savedMark(thread: Thread | undefined): string {
	return `${thread?.lastArtifactSyncStatus} ${thread?.lastTaskArtifactRelativePaths.length}`;
}
