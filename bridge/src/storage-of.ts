import { statfs } from "node:fs/promises";
import type { StorageSpace } from "@xworkmate/contracts";

/** How old the answer about the disk may be: to ask the system takes longer than all the rest of an answer. */
const SPACE_MS = 1_000;

/** Space of the disk with the folder; undefined if the system does not report it. */
export function storageOf(folder: string): () => Promise<StorageSpace | undefined> {
	let askedAt = Number.NEGATIVE_INFINITY;
	let answer: Promise<StorageSpace | undefined> = Promise.resolve(undefined);
	return () => {
		if (performance.now() - askedAt < SPACE_MS) return answer;
		askedAt = performance.now();
		answer = statfs(folder).then(
			({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
			() => undefined,
		);
		return answer;
	};
}
