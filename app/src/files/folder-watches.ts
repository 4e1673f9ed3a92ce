import type { ThreadId } from "@xworkmate/contracts";
import type { AppEvents } from "../threads/app-events.ts";
import type { Thread } from "../threads/index.ts";
import { FolderWatch } from "./folder-watch.ts";
import type { FilesOfThreads } from "./thread-files.ts";

/** A page asks again well within it; what is not asked for again ends. */
const LEASE_MS = 90_000;
/** As many pages as follow the app, twice over. */
const THREADS = 8;

export interface FolderWatchesParts {
	readonly events: AppEvents;
	readonly files: Pick<FilesOfThreads, "places">;
	/** Who would hear of a change. */
	readonly pages: { readonly isWatched: boolean };
	readonly fault: (error: unknown) => void;
	readonly leaseMs?: number;
	readonly lookMs?: number;
}

interface Watched {
	readonly watch: FolderWatch;
	until: number;
}

/** Watches folders of threads while pages show them: each for a time that the page renews, and a bounded number. */
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

	/** True when it was not watched before: what changed until now has not been told. @throws AppError THREAD_NOT_FOUND */
	async follow(threadId: ThreadId): Promise<boolean> {
		const { events, files, pages, fault, leaseMs = LEASE_MS, lookMs } = this.#parts;
		files.places(threadId);
		const until = performance.now() + leaseMs;
		const known = this.#watched.get(threadId);
		// The one asked for last is the last to be dropped.
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

	/** Its runs may have put other files there, or it is deleted. */
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

/** Changes with what was saved into the folder; a run's updates alone change nothing of it. */
function savedMark(thread: Thread | undefined): string {
	return `${thread?.lastArtifactSyncStatus} ${thread?.lastTaskArtifactRelativePaths.length}`;
}
