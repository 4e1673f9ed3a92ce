/** The members of an object of unknown shape; none for any other value. Servers' answers differ too much for a strict schema. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function items(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
