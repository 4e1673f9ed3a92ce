/** An answer that can be continued: with its mark, the next answer has only what has changed since. */
export interface Marked {
	/** Identifies what was read; pass it as `since` in the next call. */
	readonly mark?: string;
	/** The mark that the caller passed, if the app knows what has changed since then. Absent means that this answer has everything. */
	readonly since?: string;
}
