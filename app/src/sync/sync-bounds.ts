/** The limits of one sync. */
export interface SyncBounds {
	/** How many transfers are attempted before the remaining files are reported as missing. */
	readonly attempts: number;
	/** How many milliseconds to wait before the second attempt. The wait before each later attempt is longer. */
	readonly pauseMs: number;
	/** How many milliseconds every sync is allowed, in addition to the time for its bytes at the slowest useful rate. */
	readonly minMs: number;
	readonly bytesPerSecond: number;
}

export const syncBounds: SyncBounds = { attempts: 3, pauseMs: 500, minMs: 10 * 60_000, bytesPerSecond: 64 * 1024 };

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time limit of a sync of this many bytes, in milliseconds. At the limit, the sync ends with the files that it has. */
export function syncDeadline({ minMs, bytesPerSecond }: SyncBounds, totalBytes: number): number {
	return Math.min(LONGEST_TIMER_MS, minMs + Math.ceil((totalBytes / bytesPerSecond) * 1000));
}
