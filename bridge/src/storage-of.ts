import { statfs } from "node:fs/promises";
import type { StorageSpace } from "@xworkmate/contracts";
import type { ArtifactIndex } from "./ports/artifacts/artifact-index.ts";

/** How long an answer about the disk is reused, because querying the system takes longer than the rest of a reply. */
const SPACE_MS = 1_000;
/** The time limit of a query, because a network file system may never answer once its server is gone. */
const LOOK_MS = 2_000;
/** How many of the latest runs are considered to estimate the space that the next run may need. */
const LATEST_RUNS = 100;
/** How many copies of a run's files exist: where the run wrote them, in the artifact store, and in the thread's folder. */
const COPIES = 3;

type Look = (folder: string) => Promise<{ readonly bavail: number; readonly blocks: number; readonly bsize: number }>;

/** The space on the disk that holds the folder; undefined if the system does not report it, or not in time. */
export function storageOf(
	folder: string,
	runs: Pick<ArtifactIndex, "largestOf">,
	look: Look = statfs,
	lookMs = LOOK_MS,
): () => Promise<StorageSpace | undefined> {
	let askedAt = Number.NEGATIVE_INFINITY;
	let answer: Promise<StorageSpace | undefined> = Promise.resolve(undefined);
	let isLooking = false;
	return () => {
		// One query at a time: a query that never ends occupies an I/O thread, and there are only a few of them.
		if (isLooking || performance.now() - askedAt < SPACE_MS) return answer;
		askedAt = performance.now();
		isLooking = true;
		const looked = look(folder)
			.then(async ({ bavail, blocks, bsize }) => withNeed(bavail * bsize, blocks * bsize, await runs.largestOf(LATEST_RUNS)))
			.catch(() => undefined)
			.finally(() => {
				isLooking = false;
			});
		answer = Promise.race([looked, afterMs(lookMs, looked)]);
		return answer;
	};
}

function withNeed(freeBytes: number, totalBytes: number, largest: number): StorageSpace | undefined {
	// Some network file systems report nothing but zeros, which would read as a full disk.
	if (totalBytes <= 0 || !Number.isSafeInteger(totalBytes) || !Number.isSafeInteger(freeBytes)) return undefined;
	return { freeBytes, totalBytes, ...(largest > 0 && { neededBytes: largest * COPIES }) };
}

/** Resolves to undefined after `ms`. If `other` settles first, clears the timer; the promise then never settles. */
function afterMs(ms: number, other: Promise<unknown>): Promise<undefined> {
	return new Promise((resolve) => {
		const timer = setTimeout(() => resolve(undefined), ms);
		void other.finally(() => clearTimeout(timer));
	});
}
