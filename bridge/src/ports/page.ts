/** A part of a list. `nextCursor`: where the rest begins; absent if there is no more. */
export interface Page<T> {
	readonly items: readonly T[];
	readonly nextCursor?: string;
}
