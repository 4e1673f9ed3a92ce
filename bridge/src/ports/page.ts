/** A part of a list; `nextCursor` continues it. */
export interface Page<T> {
	readonly items: readonly T[];
	readonly nextCursor?: string;
}
