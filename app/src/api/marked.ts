/** An answer with a mark. A call that passes the mark receives only what has changed since that answer. */
export interface Marked {
	/** Identifies what was read; pass it as `since` in the next call. */
	readonly mark?: string;
	/** The mark that the caller passed, if the app knows what has changed since then. If absent, this answer is complete. */
	readonly since?: string;
}
