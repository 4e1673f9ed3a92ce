import type { RunId } from "@xworkmate/contracts";

/** A sealed run whose bytes are stored. */
export interface StoredRun {
	readonly runId: RunId;
	/** RFC 3339 UTC with milliseconds. */
	readonly endedAt: string;
	readonly totalBytes: number;
}

interface RetentionBounds {
	readonly maxAgeMs: number;
	readonly maxBytes: number;
	/** Milliseconds since the epoch. */
	readonly now: number;
}

/**
 * The runs whose bytes are removed (docs/protocol.md#artifacts): those that ended too long ago, and then the oldest until the rest fits.
 * Size never removes the latest run, or a large result would vanish as soon as it arrived; only age does.
 * @returns run ids, oldest end first
 */
export function selectExpired(runs: readonly StoredRun[], { maxAgeMs, maxBytes, now }: RetentionBounds): readonly RunId[] {
	const newestFirst = runs.toSorted((a, b) => compareText(b.endedAt, a.endedAt) || compareText(b.runId, a.runId));
	const expired: RunId[] = [];
	let kept = 0;
	let isFull = false;
	for (const [index, run] of newestFirst.entries()) {
		// Once a run does not fit, no older one is kept: the kept runs are always the most recent ones.
		isFull ||= index > 0 && kept + run.totalBytes > maxBytes;
		if (isFull || now - Date.parse(run.endedAt) > maxAgeMs) expired.push(run.runId);
		else kept += run.totalBytes;
	}
	return expired.reverse();
}

function compareText(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
