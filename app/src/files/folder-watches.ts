import type { ThreadId } from "@xworkmate/contracts";
import type { AppEvents } from "../threads/app-events.ts";
import type { Thread } from "../threads/index.ts";
import { FolderWatch } from "./folder-watch.ts";
import type { FilesOfThreads } from "./thread-files.ts";

/** Pages renew a watch well within this time. A watch that is not renewed ends. */
const LEASE_MS = 90_000;
/** More than twice the number of pages that can follow the app at once. */
const THREADS = 8;

export interface FolderWatchesParts {
	readonly events: AppEvents;
	readonly files: Pick<FilesOfThreads, "places" | "watchedPlaces">;
	/** Whether a page receives changes. */
	readonly pages: { readonly isWatched: boolean };
	readonly fault: (error: unknown) => void;
	readonly leaseMs?: number;
	readonly lookMs?: number;
}

interface Watched {
	readonly watch: FolderWatch;
	until: number;
}

/**
 * Watches the folders of threads while pages show them. Each watch has a time limit that the page renews, and the number of watches is
 * limited.
 */
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
	 * Returns true if the folder was not watched before, so that earlier changes have not been reported.
	 * @throws AppError THREAD_NOT_FOUND
	 */
	async follow(threadId: ThreadId): Promise<boolean> {
		const { events, files, pages, fault, leaseMs = LEASE_MS, lookMs } = this.#parts;
		// Throws for an unknown thread. This check is synchronous, so that the watch of a thread that is deleted afterwards is dropped.
		files.places(threadId);
		const until = performance.now() + leaseMs;
		const known = this.#watched.get(threadId);
		// The watch is moved to the end, because the watch whose last request is oldest is dropped first.
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
			places: () => files.watchedPlaces(threadId),
			changed: () => void events.emit("filesChanged", threadId),
		});
		const watched: Watched = { watch, until };
		this.#watched.set(threadId, watched);
		await watch.begin();
		return true;
	}

	/** Ends the watch of a deleted thread. Reads the places again if the thread's runs have saved other files. */
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

/** A text that changes when files are saved to the folder, but not when a run is merely updated. */
function savedMark(thread: Thread | undefined): string {
	return `${thread?.lastArtifactSyncStatus} ${thread?.lastTaskArtifactRelativePaths.length}`;
}
