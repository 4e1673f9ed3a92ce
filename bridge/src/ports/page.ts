/** A part of a list. `nextCursor` leads to the rest. */
export interface Page<T> {
	readonly items: readonly T[];
	readonly nextCursor?: string;
}
