import type { RunId } from "@xworkmate/contracts";

/** A sealed run whose bytes are kept. */
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
 * The runs whose bytes go (docs/protocol.md#artifacts): those that ended too long ago, and then the
 * oldest until the rest fits. The latest run stays whatever its size, or a large result would vanish
 * the moment it was there; only its age removes it.
 * @returns run ids, oldest end first
 */
export function selectExpired(runs: readonly StoredRun[], { maxAgeMs, maxBytes, now }: RetentionBounds): readonly RunId[] {
	const newestFirst = runs.toSorted((a, b) => compareText(b.endedAt, a.endedAt) || compareText(b.runId, a.runId));
	const expired: RunId[] = [];
	let kept = 0;
	let isFull = false;
	for (const [index, run] of newestFirst.entries()) {
		// Once one did not fit, no older one stays either: what is kept is always the most recent stretch.
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
