/** The timeouts of one sync. */
export interface SyncBounds {
	/** Transfers tried before what is missing is called missing. */
	readonly attempts: number;
	/** Milliseconds before the second attempt; longer before each later one. */
	readonly pauseMs: number;
	/** Milliseconds that every sync may take, and more for its bytes at the slowest useful rate. */
	readonly minMs: number;
	readonly bytesPerSecond: number;
}

export const syncBounds: SyncBounds = { attempts: 3, pauseMs: 500, minMs: 10 * 60_000, bytesPerSecond: 64 * 1024 };

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds after which a sync of so many bytes ends, with what it has. */
export function syncDeadline({ minMs, bytesPerSecond }: SyncBounds, totalBytes: number): number {
	return Math.min(LONGEST_TIMER_MS, minMs + Math.ceil((totalBytes / bytesPerSecond) * 1000));
}
