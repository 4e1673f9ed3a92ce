/** True for an object that is not an array: what an object schema accepts before it checks the fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
