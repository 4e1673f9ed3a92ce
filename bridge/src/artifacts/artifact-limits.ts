/** Limits on the files of one run. A file over a limit is listed as rejected, never truncated. */
export interface ArtifactLimits {
	/** The maximum number of bytes of one file; a larger one is `too_large`. */
	readonly maxFileBytes: number;
	/**
	 * The maximum number of accepted files of one run. Files of the scope come first, in byte order within each directory; the rest are
	 * `too_many`.
	 */
	readonly maxFiles: number;
	/**
	 * The maximum number of directory entries that are examined. A directory in which this limit is reached, and each later one with entries,
	 * is listed as `too_many`, and its other entries are not examined.
	 */
	readonly maxEntries: number;
}

export const defaultArtifactLimits: ArtifactLimits = { maxFileBytes: 20 * 1024 ** 3, maxFiles: 20_000, maxEntries: 200_000 };
