import { z } from "zod";

type JsonSchema = z.core.JSONSchema.BaseSchema;

interface Declared {
	readonly input: z.ZodType;
	readonly output: z.ZodType;
}

/** The types of the tools' answers, and of everything that a program has in addition to its tools. */
const COMMON = `interface ToolError { readonly code: string; readonly message: string }
type ToolResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: ToolError };
declare const console: {
	log(...values: unknown[]): void;
	info(...values: unknown[]): void;
	warn(...values: unknown[]): void;
	error(...values: unknown[]): void;
	debug(...values: unknown[]): void;
};
`;

/**
 * The `.d.ts` of tools by group and name, generated from their schemas. A schema with an `id` in its metadata becomes a type with that
 * name.
 * @throws Error for an unsupported kind of schema
 */
export function declareTools(groups: ReadonlyMap<string, ReadonlyMap<string, Declared>>): string {
	const named = new Map<string, string>();
	const lines: string[] = [];
	for (const [group, tools] of groups) {
		lines.push(`\treadonly ${group}: {`);
		for (const [name, { input, output }] of tools) {
			const value = typeOf(z.toJSONSchema(output, { io: "output" }), "readonly ", named);
			lines.push(`\t\t${name}(input: ${typeOf(z.toJSONSchema(input, { io: "input" }), "", named)}): Promise<ToolResult<${value}>>;`);
		}
		lines.push("\t};");
	}
	const types = [...named].map(([name, type]) => `type ${name} = ${type};\n`).join("");
	return `${COMMON}${types}declare const tools: {\n${lines.join("\n")}\n};\n`;
}

/** @param readonly prefix of properties and arrays */
function typeOf(schema: JsonSchema, readonly: "" | "readonly ", named: Map<string, string>): string {
	for (const [name, definition] of Object.entries(schema.$defs ?? {})) named.set(name, typeOf(definition, readonly, named));
	if (schema.$ref !== undefined) return schema.$ref.replace("#/$defs/", "");
	if (schema.anyOf !== undefined) return unionOf(schema.anyOf, readonly, named);
	switch (schema.type) {
		case "string":
		case "boolean":
			return schema.type;
		case "integer":
		case "number":
			return "number";
		case "array":
			return `${readonly}${typeOf(itemsOf(schema), readonly, named)}[]`;
		case "object":
			return objectOf(propertiesOf(schema, readonly, named));
		default:
			throw undeclared(schema);
	}
}

/** Makes the variants mutually exclusive: none may have a property of another. */
function unionOf(forms: readonly JsonSchema[], readonly: "" | "readonly ", named: Map<string, string>): string {
	const everyName = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
	return forms
		.map((form) => {
			if (form.type !== "object") return typeOf(form, readonly, named);
			const others = [...everyName].filter((name) => !(name in (form.properties ?? {})));
			return objectOf([...propertiesOf(form, readonly, named), ...others.map((name) => `${readonly}${name}?: never`)]);
		})
		.join(" | ");
}

function propertiesOf(schema: JsonSchema, readonly: "" | "readonly ", named: Map<string, string>): readonly string[] {
	const { properties = {}, required = [] } = schema;
	return Object.entries(properties).map(([name, property]) => {
		if (typeof property === "boolean") throw undeclared(schema);
		return `${readonly}${name}${required.includes(name) ? "" : "?"}: ${typeOf(property, readonly, named)}`;
	});
}

function itemsOf(schema: JsonSchema): JsonSchema {
	if (typeof schema.items === "object" && !Array.isArray(schema.items)) return schema.items;
	throw undeclared(schema);
}

function undeclared(schema: JsonSchema): Error {
	return new Error(`a tool's schema can't be written as a TypeScript declaration: ${JSON.stringify(schema).slice(0, 200)}`);
}

function objectOf(properties: readonly string[]): string {
	return properties.length === 0 ? "{}" : `{ ${properties.join("; ")} }`;
}
