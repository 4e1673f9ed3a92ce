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

/** The runs that ended first, and what is known about the rest. */
export interface OldestRuns {
	/** Oldest end first. */
	readonly runs: readonly StoredRun[];
	/** True if there are later ones. */
	readonly hasMore: boolean;
	/** Of all runs whose bytes are stored. */
	readonly keptBytes: number;
}

/**
 * The runs whose bytes are removed (docs/protocol.md#artifacts): those that ended too long ago, and then the oldest until the rest fits.
 * Size never removes the latest run, or a large result would vanish as soon as it arrived; only age does.
 * @returns run ids, oldest end first
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
