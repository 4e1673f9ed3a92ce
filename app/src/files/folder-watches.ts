import { omitUndefined, type ThreadId } from "@xworkmate/contracts";
import type { Thread } from "../threads/index.ts";
import { FolderWatch, type WatchedPlaces } from "./folder-watch.ts";

/** A page asks again well within it; what is not asked for again ends. */
const LEASE_MS = 90_000;
/** As many pages as follow the app, twice over. */
const THREADS = 8;

export interface FolderWatchesParts {
	/** @throws AppError THREAD_NOT_FOUND */
	readonly places: (threadId: ThreadId) => WatchedPlaces;
	readonly changed: (threadId: ThreadId) => void;
	/** False when no page would hear of a change. */
	readonly isHeard: () => boolean;
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
	}

	get count(): number {
		return this.#watched.size;
	}

	/** True when it was not watched before: what changed until now has not been told. @throws AppError THREAD_NOT_FOUND */
	async follow(threadId: ThreadId): Promise<boolean> {
		const { places, changed, isHeard, fault, leaseMs = LEASE_MS, lookMs } = this.#parts;
		places(threadId);
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
			if (isHeard() && performance.now() < watched.until) return true;
			if (this.#watched.get(threadId) === watched) this.#watched.delete(threadId);
			return false;
		};
		const watch = new FolderWatch({
			...{ places: () => places(threadId), changed: () => changed(threadId), isWanted, fault, ...omitUndefined({ lookMs }) },
		});
		const watched: Watched = { watch, until };
		this.#watched.set(threadId, watched);
		await watch.begin();
		return true;
	}

	/** Its runs may have put other files there, or it is deleted. */
	threadChanged(threadId: ThreadId, before: Thread | undefined, after: Thread | undefined): void {
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
