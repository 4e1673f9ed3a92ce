/** A file over a limit is listed as rejected, never truncated. */
export interface SealLimits {
	readonly maxFileBytes: number;
	readonly maxFiles: number;
	/** How many entries are examined in total. */
	readonly maxEntries: number;
}

/** The same limits as those of the bridge, which stores these files. */
export const sealLimits: SealLimits = { maxFileBytes: 20 * 1024 ** 3, maxFiles: 20_000, maxEntries: 200_000 };
