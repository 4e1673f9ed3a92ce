import type { SettingValue } from "@xworkmate/contracts";
import { z } from "zod";
import { AppEnvironment } from "./app-environment.ts";
import { listItems, numberProblem, type SettingForm, type SettingGroup, termsOf } from "./setting-row.ts";
import { Environment } from "./settings.ts";

/** One setting under all of its names: `XWORKMATE_MAX_QUEUED`, `maxQueued` in config.json, `--max-queued`. */
export interface Setting {
	/** The environment variable. */
	readonly name: string;
	/** The member of config.json. */
	readonly key: string;
	/** The flag of the bridge's command. Absent for a setting of the app, and for a secret, because other users can read a command line. */
	readonly flag?: string;
	/** As a user would write it in the environment; empty if there is none. */
	readonly default: string;
	/**
	 * The wording fits every place where the setting can be written. Where the value is one text, `meaningInText` also says how the items of
	 * a list are separated.
	 */
	readonly meaning: string;
	readonly group: SettingGroup;
	readonly form: SettingForm;
	/** The process that reads the setting. */
	readonly of: "bridge" | "app";
	readonly isSecret: boolean;
	/** The file in which a secret can be stored, below `<home>/bridge`. */
	readonly secretFile?: string;
	/** False for a secret, and for the setting that says where config.json is. */
	readonly inFile: boolean;
	/** Whether a change in config.json applies without a restart. */
	readonly live: boolean;
}

const PREFIX = "XWORKMATE_";

/** Variables with our prefix that are not settings. */
const otherNames = ["XWORKMATE_ARTIFACT_DIRECTORY"] as const;

function rowsOf(shape: Readonly<Record<string, z.ZodType>>, of: Setting["of"]): readonly Setting[] {
	return Object.entries(shape).map(([name, schema]) => {
		const { meaning, group, form, default: fallback = "", secret, secretFile, inFile, live } = termsOf(schema);
		const words = name.slice(PREFIX.length).toLowerCase();
		return {
			...{ name, meaning, group, form, of },
			key: words.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
			default: fallback,
			...(of === "bridge" && secret !== true && { flag: `--${words.replaceAll("_", "-")}` }),
			...(secretFile !== undefined && { secretFile }),
			isSecret: secret === true,
			inFile: secret !== true && inFile !== false,
			live: live === true,
		};
	});
}

/** In the order in which the documents list them. */
export const bridgeSettings: readonly Setting[] = rowsOf(Environment.shape, "bridge");
export const appSettings: readonly Setting[] = rowsOf(AppEnvironment.shape, "app");
export const settings: readonly Setting[] = [...bridgeSettings, ...appSettings];

/** All valid variables with our prefix. */
export const knownNames: readonly string[] = [...settings.map(({ name }) => name), ...otherNames];

/** The variables with our prefix that are not valid, such as misspelled ones. */
export function unknownNames(env: Readonly<Record<string, string | undefined>>): readonly string[] {
	return Object.keys(env).filter((name) => name.startsWith(PREFIX) && !knownNames.includes(name));
}

const schemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries({ ...Environment.shape, ...AppEnvironment.shape }));

/** Finds a setting by its key, variable or flag. */
export function settingNamed(spelling: string): Setting | undefined {
	return settings.find(({ key, name, flag }) => spelling === key || spelling === name || spelling === flag);
}

/**
 * What a setting means in a variable or a flag, whose text separates the items of a list. config.json has a real list, so these words would
 * be wrong there.
 */
export function meaningInText({ meaning, form }: Pick<Setting, "meaning" | "form">): string {
	if (form.kind !== "list") return meaning;
	const how = form.separator === "\n" ? "one per line" : form.separator === "," ? "comma-separated" : "separated like PATH";
	return `${meaning.replace(/\.$/, "")}; ${how}.`;
}

/** Why a text is not a valid value of a setting, such as "must be a whole number from 1 to 100"; undefined if it is valid. */
export function textProblem({ name }: Pick<Setting, "name">, text: string): string | undefined {
	const parsed = schemas.get(name)?.safeParse(text);
	return parsed === undefined || parsed.success ? undefined : parsed.error.issues[0]?.message;
}

/** Converts the text of an environment variable to the equivalent value in config.json. */
export function jsonValueOf({ form }: Pick<Setting, "form">, text: string): SettingValue {
	switch (form.kind) {
		case "number":
			return Number(text);
		case "switch":
			return text === "1";
		case "list":
			return listItems(text, form.separator);
		default:
			return text;
	}
}

/** Converts a value of config.json to the equivalent text of an environment variable, or says what is wrong with the value. */
export function textOf(setting: Pick<Setting, "name" | "form">, value: unknown): { readonly text: string } | { readonly problem: string } {
	const text = writtenAs(setting.form, value);
	if (typeof text !== "string") return text;
	const problem = textProblem(setting, text);
	return problem === undefined ? { text } : { problem };
}

const Texts = z.array(z.string());

function writtenAs(form: SettingForm, value: unknown): string | { readonly problem: string } {
	switch (form.kind) {
		case "number":
			return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : { problem: numberProblem(form) };
		case "switch":
			return typeof value === "boolean" ? (value ? "1" : "0") : { problem: "must be true or false" };
		case "list":
			return listed(form.separator, value);
		default:
			return textProblemOf(value) ?? String(value);
	}
}

function textProblemOf(value: unknown): { readonly problem: string } | undefined {
	if (value === "") return { problem: "must not be empty" };
	if (typeof value !== "string") return { problem: 'must be a string in quotes, such as "a"' };
	// config.json gets copied and shown to others, so it must not hold a secret as part of an address.
	if (URL.canParse(value) && new URL(value).password !== "") return { problem: "must not contain a password" };
	return undefined;
}

function listed(separator: string, value: unknown): string | { readonly problem: string } {
	const texts = Texts.safeParse(value);
	if (!texts.success) return { problem: 'must be a list of strings, such as ["a", "b"]' };
	const shown = separator === "\n" ? "a line break" : `"${separator}"`;
	if (texts.data.some((text) => text.includes(separator))) return { problem: `must not contain ${shown} in an item` };
	if (texts.data.some((text) => text.trim() === "" || text.trim() !== text)) {
		return { problem: "must not contain an item that is empty, or that begins or ends with a space" };
	}
	return texts.data.join(separator);
}
