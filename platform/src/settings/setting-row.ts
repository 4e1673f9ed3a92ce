import { z } from "zod";

/** How a value is written in config.json, and thus which control a form offers for it. */
export type SettingForm =
	| { readonly kind: "number"; readonly min: number; readonly max: number; readonly unit?: "ms" | "bytes" }
	| { readonly kind: "choice"; readonly choices: readonly string[] }
	| { readonly kind: "switch" }
	| { readonly kind: "list"; readonly separator: string; readonly unit?: "folder" }
	| { readonly kind: "text" };

/** The section of the settings page that shows the setting. */
export type SettingGroup =
	| "agents"
	| "app"
	| "bridge"
	| "deliveries"
	| "diagnostics"
	| "discord"
	| "folders"
	| "models"
	| "openclaw"
	| "permissions"
	| "runs"
	| "storage";

/** What a setting has in addition to its schema. */
export interface SettingTerms {
	readonly meaning: string;
	readonly group: SettingGroup;
	/** The default as a user would write it in the environment; absent if there is none. */
	readonly default?: string;
	/** True: the setting has no flag, and is never in config.json. */
	readonly secret?: true;
	/** The file in which the command and the page store a secret, below `<home>/bridge`. */
	readonly secretFile?: string;
	/** False for the setting that says where config.json is. */
	readonly inFile?: false;
	/** A change in config.json applies without a restart. */
	readonly live?: true;
}

interface Registered extends SettingTerms {
	readonly form: SettingForm;
}

const registry = z.registry<Registered>();

/** The terms with which a schema was registered as a setting. */
export function termsOf(schema: z.ZodType): Registered {
	const terms = registry.get(schema);
	if (terms === undefined) throw new RangeError("A setting has no description.");
	return terms;
}

/** A setting whose value is a text, or what the schema turns the text into. */
export function setting<T extends z.ZodType>(schema: T, terms: SettingTerms, form: SettingForm = { kind: "text" }): T {
	registry.add(schema, { ...terms, form });
	return schema;
}

/**
 * The problem with a value that is not a number in the range. The problem is the same for every such value, so one message names the whole
 * rule.
 */
export function numberProblem({ min, max }: { readonly min: number; readonly max: number }): string {
	return `must be a whole number from ${min} to ${max}`;
}

/** A setting that is a whole number from `min` to `max`; `fallback` if unset. */
export function count(fallback: number, min: number, max: number, terms: SettingTerms, unit?: "ms" | "bytes") {
	const schema = z
		.string()
		.regex(/^\d{1,15}$/, numberProblem({ min, max }))
		.transform(Number)
		.refine((value) => value >= min && value <= max, numberProblem({ min, max }))
		.default(fallback);
	return setting(schema, { ...terms, default: String(fallback) }, { kind: "number", min, max, ...(unit && { unit }) });
}

/** A setting that is a list, its items separated by `separator`; empty if unset. */
export function list<T extends z.ZodType<unknown, string>>(separator: string, item: T, terms: SettingTerms, unit?: "folder") {
	const schema = z
		.string()
		.default("")
		.transform((text) => listItems(text, separator))
		.pipe(z.array(item));
	return setting(schema, terms, { kind: "list", separator, ...(unit && { unit }) });
}

export function listItems(text: string, separator: string): string[] {
	return text
		.split(separator)
		.map((part) => part.trim())
		.filter((part) => part !== "");
}

/** A setting that is one of several words; `fallback` if unset. */
export function choice<const T extends readonly [string, ...string[]]>(choices: T, fallback: T[number], terms: SettingTerms) {
	return setting(
		z.enum(choices, `must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`).default(fallback),
		{ ...terms, default: fallback },
		{ kind: "choice", choices },
	);
}

/** A setting that is on or off; off if unset. */
export function onOff(terms: SettingTerms) {
	return setting(z.enum(["0", "1"], "must be 1 or 0").optional(), terms, { kind: "switch" });
}

/** A setting that is on or off; on if unset. */
export function onUnlessOff(terms: SettingTerms) {
	return setting(z.enum(["0", "1"], "must be 1 or 0").default("1"), { ...terms, default: "1" }, { kind: "switch" });
}
