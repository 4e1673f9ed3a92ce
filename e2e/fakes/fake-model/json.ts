export type JsonObject = { readonly [key: string]: unknown };

/** The value as an object, an empty one when it is none: requests of four dialects differ too much to insist. */
export function objectOf(value: unknown): JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
}

export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** All the text in a content value of any dialect: a string, a block, or a list of either. */
export function textOf(value: unknown): string {
	if (value === undefined || value === null) return "";
	if (typeof value !== "object") return String(value);
	if (Array.isArray(value)) return value.map(textOf).join("\n");
	const { text, content, parts, output } = objectOf(value);
	return typeof text === "string" ? text : textOf(content ?? parts ?? output);
}
