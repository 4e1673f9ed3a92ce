/** Limits of what one run may deliver. A file over a limit is rejected by name, never truncated. */
export interface ArtifactLimits {
	/** Bytes of one file; more is `too_large`. */
	readonly maxFileBytes: number;
	/** Accepted files of one run; the scope's come first, in byte order within each directory, and the rest are `too_many`. */
	readonly maxFiles: number;
	/** Directory entries examined in all; a directory beyond the limit is listed as `too_many` and not entered. */
	readonly maxEntries: number;
}

export const defaultArtifactLimits: ArtifactLimits = { maxFileBytes: 20 * 1024 ** 3, maxFiles: 20_000, maxEntries: 200_000 };
