import type { z } from "zod";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A type that exceeds these limits becomes `unknown`, because a larger one is hard to read and slows down the type checker. */
const MAX_NODES = 1_000;
const MAX_DEPTH = 24;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * The TypeScript type of a JSON Schema as zod writes it. The type accepts everything that the schema accepts, and may accept more, because
 * anything without an exact type becomes `unknown`. Schemas come from tools' own code, so their text appears in the type only as
 * identifiers and quoted strings.
 *
 * @param readonly prefix of properties and arrays
 */
export function schemaType(schema: unknown, readonly: "" | "readonly "): string {
	return new SchemaType(schema, readonly).text();
}

class SchemaType {
	readonly #root: unknown;
	readonly #readonly: "" | "readonly ";
	readonly #path: unknown[] = [];
	#nodes = 0;

	constructor(root: unknown, readonly: "" | "readonly ") {
		this.#root = root;
		this.#readonly = readonly;
	}

	text(): string {
		const text = this.#typeOf(this.#root);
		return this.#nodes > MAX_NODES ? "unknown" : text;
	}

	#typeOf(schema: unknown): string {
		this.#nodes += 1;
		if (schema === false) return "never";
		if (!isRecord(schema) || this.#path.includes(schema) || this.#path.length >= MAX_DEPTH || this.#nodes > MAX_NODES) return "unknown";
		this.#path.push(schema);
		try {
			return this.#formOf(schema);
		} finally {
			this.#path.pop();
		}
	}

	#formOf(schema: JsonSchema): string {
		if (typeof schema.$ref === "string") return this.#typeOf(this.#resolve(schema.$ref));
		if (Array.isArray(schema.allOf))
			return joined(
				schema.allOf.map((part) => this.#typeOf(part)),
				" & ",
			);
		const forms = schema.anyOf ?? schema.oneOf;
		if (Array.isArray(forms))
			return joined(
				forms.map((form) => this.#typeOf(form)),
				" | ",
			);
		if ("const" in schema) return literal(schema.const);
		if (Array.isArray(schema.enum)) return joined(schema.enum.map(literal), " | ");
		if (isRecord(schema.not) && Object.keys(schema.not).length === 0) return "never";
		if (Array.isArray(schema.type))
			return joined(
				schema.type.map((type) => this.#typeOf({ ...schema, type })),
				" | ",
			);
		switch (schema.type) {
			case "string":
			case "boolean":
			case "null":
				return schema.type;
			case "integer":
			case "number":
				return "number";
			case "array":
				return this.#arrayOf(schema);
			case "object":
				return this.#objectOf(schema);
			default:
				return "unknown";
		}
	}

	#arrayOf(schema: JsonSchema): string {
		const tuple = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined);
		if (!Array.isArray(tuple)) return `${this.#readonly}${grouped(this.#typeOf(schema.items ?? true))}[]`;
		const required = typeof schema.minItems === "number" ? schema.minItems : tuple.length;
		const items = tuple.map((item, index) => (index < required ? this.#typeOf(item) : `${grouped(this.#typeOf(item))}?`));
		const further = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
		const rest = further === undefined || further === false ? [] : [`...${grouped(this.#typeOf(further))}[]`];
		return `${this.#readonly}[${[...items, ...rest].join(", ")}]`;
	}

	#objectOf(schema: JsonSchema): string {
		const required = new Set(Array.isArray(schema.required) ? schema.required : []);
		const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
		const members = properties.map(([name, value]) => ({ name, type: this.#typeOf(value), isRequired: required.has(name) }));
		const texts = members.map(({ name, type, isRequired }) => `${this.#readonly}${keyOf(name)}${isRequired ? "" : "?"}: ${type}`);
		const further = schema.additionalProperties;
		if (isRecord(further) || further === true || schema.patternProperties !== undefined || schema.propertyNames !== undefined) {
			const rest = isRecord(further) && schema.patternProperties === undefined ? this.#typeOf(further) : "unknown";
			const optional = members.some(({ isRequired }) => !isRequired) ? ["undefined"] : [];
			texts.push(`${this.#readonly}[name: string]: ${joined([rest, ...members.map(({ type }) => type), ...optional], " | ")}`);
		}
		// The type of an object that can have no members is not `{}`, which would accept everything except null and undefined.
		if (texts.length === 0) return further === false ? `{ ${this.#readonly}[name: string]: never }` : "{}";
		return `{ ${texts.join("; ")} }`;
	}

	#resolve(ref: string): unknown {
		if (ref === "#") return this.#root;
		const [, name] = /^#\/\$defs\/([^/]+)$/.exec(ref) ?? [];
		const definitions = isRecord(this.#root) ? this.#root.$defs : undefined;
		return name !== undefined && isRecord(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
	}
}

function keyOf(name: string): string {
	return IDENTIFIER.test(name) ? name : quoted(name);
}

function literal(value: unknown): string {
	if (typeof value === "string") return quoted(value);
	return value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)) ? String(value) : "unknown";
}

/** Quoted on one line, whatever the text contains. */
function quoted(text: string): string {
	return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function grouped(type: string): string {
	return /^[\w$]+$/.test(type) || /^\{[^{}]*\}$/.test(type) ? type : `(${type})`;
}

function joined(types: readonly string[], by: " | " | " & "): string {
	const different = [...new Set(types)];
	if (different.length === 0) return by === " | " ? "never" : "unknown";
	if (by === " | " && different.includes("unknown")) return "unknown";
	return different.length === 1 ? (different[0] ?? "unknown") : (by === " | " ? different : different.map(grouped)).join(by);
}

function isRecord(value: unknown): value is JsonSchema {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
