/** True for an object that is not an array: what a schema of an object accepts before it looks at the fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
