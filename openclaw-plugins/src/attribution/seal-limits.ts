/** A file over a limit is rejected by name, never truncated. */
export interface SealLimits {
	readonly maxFileBytes: number;
	readonly maxFiles: number;
	/** Entries looked at in all. */
	readonly maxEntries: number;
}

/** As the bridge's own, which keeps what this one hands out. */
export const sealLimits: SealLimits = { maxFileBytes: 20 * 1024 ** 3, maxFiles: 20_000, maxEntries: 200_000 };
