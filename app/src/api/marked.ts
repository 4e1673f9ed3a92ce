/** An answer that can be continued: the next one has only what changed since. */
export interface Marked {
	/** Names what was read; given back as `since`. */
	readonly mark?: string;
	/** The mark that the caller gave, if the app knows what has changed since; absent = this is everything. */
	readonly since?: string;
}
