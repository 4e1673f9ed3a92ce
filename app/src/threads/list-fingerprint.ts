import type { Thread } from "../threads/index.ts";

/** The parts of a thread that a list shows: a run's updates alone do not change them. */
export function listFingerprint(thread: Thread | undefined): string {
	if (thread === undefined) return "";
	const { turns, updatedAt: _updated, lastTaskArtifactRelativePaths: paths, ...rest } = thread;
	const { lastSeq: _seq, syncedPaths: _paths, ...last } = turns.at(-1) ?? { lastSeq: 0, syncedPaths: [] };
	return JSON.stringify([rest, turns.length, last, paths.length]);
}
