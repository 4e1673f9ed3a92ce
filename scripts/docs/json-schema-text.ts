import type { JsonSchema } from "../../contracts/src/index.ts";

/** A schema's form in words for one table cell: `Snapshot`, `"a"` or `"b"`, list of ..., string (at most 200 characters). */
export function schemaText(schema: JsonSchema): string {
	if (schema.$ref !== undefined) return linkTo(schema.$ref);
	if (schema.const !== undefined) return code(JSON.stringify(schema.const));
	if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(", ");
	const forms = alternatives(schema);
	if (forms.length > 0) return forms.map(schemaText).join(" or ");
	if (schema.type === "array") return listText(schema);
	if (schema.type === "object") return objectText(schema);
	return withBounds(String(schema.type ?? "anything"), schema);
}

/** The variants of a union; empty for another schema. */
export function alternatives(schema: JsonSchema): JsonSchema[] {
	return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((form) => typeof form !== "boolean");
}

/** A markdown table of an object schema's fields. */
export function fieldTable(schema: JsonSchema): string {
	const required = new Set(schema.required ?? []);
	const rows = Object.entries(schema.properties ?? {}).map(
		([name, field]) =>
			`| \`${name}\` | ${required.has(name) ? "yes" : ""} | ${cell(typeof field === "boolean" ? "anything" : fieldText(field))} |`,
	);
	return ["| field | required | form |", "|---|---|---|", ...rows].join("\n");
}

/** Escapes a text for a table cell. */
export function cell(text: string): string {
	return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function fieldText(field: JsonSchema): string {
	return field.default === undefined ? schemaText(field) : `${schemaText(field)}; default ${code(JSON.stringify(field.default))}`;
}

function listText(schema: JsonSchema): string {
	const item = schema.items;
	const text = item === undefined || typeof item === "boolean" || Array.isArray(item) ? "anything" : schemaText(item as JsonSchema);
	return withBounds(`list of ${text}`, schema);
}

function objectText(schema: JsonSchema): string {
	const values = schema.additionalProperties;
	if (typeof values === "object" && values !== null) return `object with values ${schemaText(values)}`;
	const required = new Set(schema.required ?? []);
	const names = Object.entries(schema.properties ?? {}).map(([name, field]) => {
		const text = typeof field === "boolean" ? "anything" : schemaText(field);
		return `\`${name}${required.has(name) ? "" : "?"}\`: ${text}`;
	});
	return `{ ${names.join("; ")} }`;
}

function withBounds(text: string, schema: JsonSchema): string {
	const bounds = [
		schema.minLength === undefined ? "" : "not empty",
		schema.maxLength === undefined ? "" : `at most ${schema.maxLength} characters`,
		schema.minItems === undefined ? "" : "not empty",
		schema.maxItems === undefined ? "" : `at most ${schema.maxItems}`,
		schema.minimum === undefined ? "" : `from ${schema.minimum}`,
		schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER ? "" : `to ${schema.maximum}`,
		schema.pattern === undefined ? "" : `matching ${code(schema.pattern)}`,
	].filter((bound) => bound !== "");
	return bounds.length === 0 ? text : `${text} (${bounds.join(", ")})`;
}

function linkTo(ref: string): string {
	const name = ref.replace("#/components/schemas/", "");
	return `[${name}](#${name.toLowerCase()})`;
}

function code(text: string): string {
	return `\`${text}\``;
}
