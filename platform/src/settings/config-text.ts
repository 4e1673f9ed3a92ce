import type { SettingValue } from "@xworkmate/contracts";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { nearestName } from "./nearest-name.ts";
import { jsonValueOf, type Setting, settings, textOf } from "./setting-list.ts";

/** A problem in config.json, and where it is. Never contains a value. */
export interface ConfigProblem {
	/** Counted from 1. */
	readonly line: number;
	readonly column: number;
	/** The member that is wrong; absent if the problem concerns the whole file. */
	readonly key?: string;
	readonly message: string;
	readonly fix: string;
}

/** A setting of config.json, in the file's form and in that of the environment. */
export interface FileSetting {
	readonly text: string;
	readonly value: SettingValue;
}

export interface ParsedConfig {
	/** By variable; settings with a wrong value are left out. */
	readonly values: ReadonlyMap<string, FileSetting>;
	/** In the order in which they appear in the file. */
	readonly problems: readonly ConfigProblem[];
}

/** Editors find the file's schema by this member. */
const SCHEMA_KEY = "$schema";
const WRITE_SETTINGS = 'Write the settings in the form { "maxActiveRuns": 4 }, or delete the file.';

/** The settings in the text of a config.json, and everything that is wrong with it. Comments and trailing commas are allowed. */
export function parseConfig(text: string): ParsedConfig {
	const errors: ParseError[] = [];
	const tree = parseTree(text, errors, { allowTrailingComma: true });
	const [first] = errors;
	if (first !== undefined) {
		const isEmpty = text.trim() === "";
		const message = isEmpty ? "The file is empty." : `The file is not JSON (${printParseErrorCode(first.error)}).`;
		const fix = isEmpty ? WRITE_SETTINGS : "Correct the file at that position, or delete the file.";
		return { values: new Map(), problems: [{ ...placeOf(text, first.offset), message, fix }] };
	}
	if (tree?.type !== "object") {
		const problem = { message: "The file is not a JSON object.", fix: WRITE_SETTINGS };
		return { values: new Map(), problems: [{ ...placeOf(text, tree?.offset ?? 0), ...problem }] };
	}
	const values = new Map<string, FileSetting>();
	const problems: ConfigProblem[] = [];
	const seen = new Set<string>();
	for (const member of tree.children ?? []) {
		const [name, value] = member.children ?? [];
		const key = String(name?.value);
		const problem = seen.has(key) ? repeated(key) : takeMember(key, value, values);
		seen.add(key);
		if (problem === undefined) continue;
		problems.push({ ...placeOf(text, (problem.isAtValue ? value : name)?.offset ?? member.offset), ...problem.said, key });
	}
	return { values, problems };
}

interface Refused {
	readonly said: { readonly message: string; readonly fix: string };
	readonly isAtValue: boolean;
}

function refused(message: string, fix: string, isAtValue = false): Refused {
	return { said: { message, fix }, isAtValue };
}

function repeated(key: string): Refused {
	return refused(`"${key}" appears more than once.`, "Keep only one of them.");
}

function takeMember(key: string, node: Node | undefined, values: Map<string, FileSetting>): Refused | undefined {
	if (key === SCHEMA_KEY) return undefined;
	const setting = settings.find((one) => one.key === key);
	if (setting === undefined) return unknown(key);
	if (!setting.inFile) return elsewhere(setting);
	const written = textOf(setting, jsonOf(node));
	if ("problem" in written) return refused(`"${key}" ${written.problem}.`, `Set it to a valid value: ${setting.meaning}`, true);
	values.set(setting.name, { text: written.text, value: jsonValueOf(setting, written.text) });
	return undefined;
}

function unknown(key: string): Refused {
	const keys = settings.flatMap((setting) => (setting.inFile ? [setting.key] : []));
	const near = settings.find(({ name, flag }) => name === key || flag === key)?.key ?? nearestName(key, keys);
	const shown = JSON.stringify(key.slice(0, 100));
	return refused(`${shown} is not an XWorkmate setting.`, near === undefined ? "Remove it." : `Did you mean "${near}"?`);
}

function elsewhere({ key, name, isSecret, secretFile }: Setting): Refused {
	if (!isSecret) return refused(`"${key}" can't be set in this file.`, `Remove it, and set ${name} in the environment.`);
	const instead =
		secretFile === undefined ? `set ${name} in the environment` : `store it with \`npm run -s xworkmate -- config secret ${key}\``;
	return refused(`"${key}" is a secret, which can't be stored in this file.`, `Remove it, and ${instead}.`);
}

/** The value of a member; undefined for an object, because no setting is one. */
function jsonOf(node: Node | undefined): unknown {
	return node?.type === "array" ? (node.children ?? []).map((item) => item.value) : node?.value;
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
	const before = text.slice(0, offset).split("\n");
	return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
