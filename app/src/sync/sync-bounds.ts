/** The timeouts of one sync. */
export interface SyncBounds {
	/** How many transfers are attempted before the remaining files are reported as missing. */
	readonly attempts: number;
	/** Milliseconds before the second attempt; longer before each later one. */
	readonly pauseMs: number;
	/** Milliseconds allowed for every sync, plus the time for its bytes at the slowest useful rate. */
	readonly minMs: number;
	readonly bytesPerSecond: number;
}

export const syncBounds: SyncBounds = { attempts: 3, pauseMs: 500, minMs: 10 * 60_000, bytesPerSecond: 64 * 1024 };

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds after which a sync of this many bytes ends with the files it has. */
export function syncDeadline({ minMs, bytesPerSecond }: SyncBounds, totalBytes: number): number {
	return Math.min(LONGEST_TIMER_MS, minMs + Math.ceil((totalBytes / bytesPerSecond) * 1000));
}
