import type { Thread } from "../threads/index.ts";

/** A string that changes whenever what a list shows about a thread changes. Updates of a run alone do not change it. */
export function listFingerprint(thread: Thread | undefined): string {
	if (thread === undefined) return "";
	const { turns, updatedAt: _updated, lastTaskArtifactRelativePaths: paths, ...rest } = thread;
	const { lastSeq: _seq, syncedPaths: _paths, ...last } = turns.at(-1) ?? { lastSeq: 0, syncedPaths: [] };
	return JSON.stringify([rest, turns.length, last, paths.length]);
}
