interface Listed<T> {
	readonly items: readonly T[];
	/** Absent if `items` ends with the last one. */
	readonly nextCursor?: string | undefined;
}

/** The beginning of a list: whole pages with at least `count` items, or the whole list if it has fewer. */
export async function readPages<T>(count: number, read: (after: { readonly cursor?: string }) => Promise<Listed<T>>): Promise<Listed<T>> {
	let listed = await read({});
	while (listed.items.length < count && listed.nextCursor !== undefined) {
		const { items, nextCursor } = await read({ cursor: listed.nextCursor });
		listed = { items: [...listed.items, ...items], nextCursor };
	}
	return listed;
}
