/** `T` with each member that may be undefined made optional instead. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
	[K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The members that are not undefined. The compiler (exactOptionalPropertyTypes), JSON schemas and `in` distinguish an absent member from an
 * undefined one.
 */
export function omitUndefined<T extends object>(members: T): Defined<T>;
export function omitUndefined(members: object): object {
	const defined: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(members)) {
		if (value !== undefined) defined[name] = value;
	}
	return defined;
}
