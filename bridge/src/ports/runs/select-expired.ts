import type { RunId } from "@xworkmate/contracts";

/** A sealed run whose bytes are stored. */
export interface StoredRun {
	readonly runId: RunId;
	/** RFC 3339 UTC with milliseconds. */
	readonly endedAt: string;
	readonly totalBytes: number;
}

export interface RetentionBounds {
	readonly maxAgeMs: number;
	readonly maxBytes: number;
	/** Milliseconds since the epoch. */
	readonly now: number;
}

/** The runs that ended first, and what is known about the others. */
export interface OldestRuns {
	/** The runs, in the order in which they ended. */
	readonly runs: readonly StoredRun[];
	/** True if other runs ended later. */
	readonly hasMore: boolean;
	/** The total for all runs whose bytes are stored. */
	readonly keptBytes: number;
}

/**
 * The runs whose bytes are to be removed (docs/protocol.md#artifacts): those that ended too long ago, and then the oldest, until the rest
 * is within the limit. The latest run is removed only because of its age, because otherwise a large result would disappear as soon as it
 * arrived.
 * @returns run ids, in the order in which the runs ended
 */
export function selectExpired({ runs, hasMore, keptBytes }: OldestRuns, { maxAgeMs, maxBytes, now }: RetentionBounds): readonly RunId[] {
	let kept = keptBytes;
	const firstKept = runs.findIndex(({ endedAt, totalBytes }, index) => {
		const isLatest = !hasMore && index === runs.length - 1;
		if (now - Date.parse(endedAt) <= maxAgeMs && (isLatest || kept <= maxBytes)) return true;
		kept -= totalBytes;
		return false;
	});
	return (firstKept === -1 ? runs : runs.slice(0, firstKept)).map(({ runId }) => runId);
}
