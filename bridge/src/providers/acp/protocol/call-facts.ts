import { createHash } from "node:crypto";
import { isAbsolute, normalize, resolve } from "node:path";
import { canonicalJson } from "@xworkmate/contracts";
import { z } from "zod";
import { comparable } from "../../comparable.ts";
import { commandOf, harmlessKeys } from "./command-line.ts";
import { patchedPaths, pathsShown, textKeys } from "./shown-paths.ts";

const MAX_FIELDS = 30;
const MAX_PATHS = 20;
/** How many paths are kept to be shown (`alsoNamed` of a request). */
const NAMED_PATHS = 50;
const SHORT = 200;
const MAX_PLACE = 4_096;

/**
 * What an agent has reported about one tool call, in all of its messages. The request may omit what an earlier message contained: OpenCode
 * names a command's directory when it announces the call, but not when it asks.
 */
export interface CallFacts {
	/** All fields that the input has ever had, with their last values or digests of them. May be incomplete if the call is unclear. */
	readonly fields: ReadonlyMap<string, string>;
	/** The fields of the latest input, which the user sees. */
	readonly shown: ReadonlySet<string>;
	readonly command?: string;
	/** All directories that were named as the working directory. May be incomplete if the call is unclear. */
	readonly places: ReadonlySet<string>;
	/** All paths that were named by diffs, by locations, or by fields that name a file. May be incomplete if the call is unclear. */
	readonly paths: ReadonlySet<string>;
	/** True if more paths were named than are kept. */
	readonly lacksPaths: boolean;
	readonly showsDiff: boolean;
	/** True if something was not kept or not understood. Such a call is never treated as equal to another. */
	readonly isUnclear: boolean;
	/** True if the call may do more than edit the files that it names. */
	readonly mayDoMore: boolean;
}

export const nothingSaid: CallFacts = {
	fields: new Map(),
	shown: new Set(),
	places: new Set(),
	paths: new Set(),
	lacksPaths: false,
	showsDiff: false,
	isUnclear: false,
	mayDoMore: false,
};

export const placeKeys: ReadonlySet<string> = new Set(["cwd", "workdir", "working_directory", "workingDirectory"]);
export const pathKeys: ReadonlySet<string> = new Set(["file_path", "path", "filePath", "filepath", "abs_path", "notebook_path"]);

const Fields = z.record(z.string(), z.unknown());
const DiffItem = z.object({ type: z.literal("diff"), path: z.string() });
const LocationItem = z.object({ path: z.string() });

/** The data of one message about a call, as the agent sent it. */
export interface ToolParts {
	readonly rawInput?: unknown;
	readonly content: readonly unknown[];
	readonly locations: readonly unknown[];
	/** True: the title was truncated. */
	readonly isTitleCut: boolean;
}

/** Adds one more message to the facts. Pure. */
export function addFacts(known: CallFacts, { rawInput, content, locations, isTitleCut }: ToolParts): CallFacts {
	const fields = new Map(known.fields);
	const paths = new Set(known.paths);
	const places = new Set(known.places);
	const given = rawInput === undefined || rawInput === null ? undefined : fieldsOf(rawInput);
	let { mayDoMore, showsDiff, isUnclear } = known;
	// How the agent's tool would understand a text is unknown.
	if (typeof rawInput === "string") mayDoMore = true;
	for (const [key, value] of given ?? []) {
		const kept = digest(typeof value === "string" && !placeKeys.has(key) ? comparable(value) : value);
		fields.set(key, kept ?? "");
		if (kept === undefined) isUnclear = true;
		if (placeKeys.has(key) && typeof value === "string") {
			if (value.length <= MAX_PLACE) places.add(value);
			else isUnclear = true;
		}
		if (pathKeys.has(key)) paths.add(typeof value === "string" ? value : "");
		else if (!textKeys.has(key)) mayDoMore = true;
		if (key === "diff") for (const path of patchedPaths(value)) paths.add(path);
	}
	for (const item of content) {
		const diff = DiffItem.safeParse(item);
		if (diff.success) paths.add(diff.data.path);
		if (diff.success) showsDiff = true;
		else mayDoMore = true;
	}
	for (const item of locations) paths.add(LocationItem.safeParse(item).data?.path ?? "");
	const command = given === undefined ? known.command : commandOf(rawInput);
	isUnclear ||= isTitleCut || fields.size > MAX_FIELDS || paths.size > MAX_PATHS || places.size > MAX_PATHS;
	const kept = isUnclear
		? { fields: new Map([...fields].slice(0, MAX_FIELDS)), paths: new Set([...paths].slice(0, NAMED_PATHS)) }
		: { fields, paths };
	const shown = given === undefined ? known.shown : new Set(given.map(([key]) => key));
	return {
		...kept,
		lacksPaths: known.lacksPaths || paths.size > NAMED_PATHS,
		shown,
		// The latest places are kept, because a request shows the latest one.
		places: new Set([...places].slice(-MAX_PATHS)),
		showsDiff,
		isUnclear,
		mayDoMore,
		...(command === undefined ? {} : { command }),
	};
}

/**
 * The exact command line; undefined if there is none, if a message about the call contains anything else that may matter, or if the command
 * runs in another directory.
 */
export function exactCommand({ fields, command, isUnclear, showsDiff }: CallFacts, directory: string): string | undefined {
	if (command === undefined || isUnclear || showsDiff) return undefined;
	for (const [key, value] of fields) {
		if (key === "command" || harmlessKeys.has(key)) continue;
		if (!placeKeys.has(key) || value !== digest(directory)) return undefined;
	}
	return command;
}

/** A named working directory other than the run's. If there are several, the one whose first mention was the latest. */
export function otherPlace({ places }: CallFacts, directory: string): string | undefined {
	return [...places].findLast((place) => place !== directory);
}

/** The fields of earlier messages that matter and that the latest input lacks, as one text, because a decision covers them too. */
export function unshown({ fields, shown }: CallFacts, directory: string): string {
	const here = digest(directory);
	const rest = [...fields].filter(([key, value]) => !shown.has(key) && !harmlessKeys.has(key) && !(placeKeys.has(key) && value === here));
	return rest.length === 0 ? "" : JSON.stringify(rest.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The named files that a shown input or title does not name in any spelling. Named working directories are left out. */
export function unshownPaths(facts: CallFacts, shown: string, directory: string): readonly string[] {
	const named = [...facts.paths].filter((path) => path !== "");
	// If another directory was named too, a relative path may start from either.
	const spelled = otherPlace(facts, directory) === undefined ? (path: string) => resolve(directory, path) : normalize;
	const known = new Set([directory, ...facts.places, ...named.filter(pathsShown(shown, spelled))].map(spelled));
	return [...new Set(named.filter((path) => !known.has(spelled(path))))].map((path) => path.slice(0, MAX_PLACE));
}

/** The files that an edit would change; undefined if it may do more, or does not name all of them by absolute, normalized paths. */
export function editedPaths({ paths, isUnclear, mayDoMore }: CallFacts): readonly string[] | undefined {
	if (isUnclear || mayDoMore || paths.size === 0) return undefined;
	const all = [...paths];
	return all.every((path) => isAbsolute(path) && normalize(path) === path) ? all : undefined;
}

function fieldsOf(rawInput: unknown): readonly (readonly [string, unknown])[] {
	const parsed = Fields.safeParse(typeof rawInput === "string" ? fromJson(rawInput) : rawInput);
	// A list, or a text that is not a JSON object, has no fields, so it is kept as a single field without a name.
	return parsed.success ? Object.entries(parsed.data) : [["", rawInput]];
}

function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** A value as text, or the hash of a long one; undefined if it cannot be serialized. Equal values have the same text. */
function digest(value: unknown): string | undefined {
	const text = typeof value === "string" ? value : canonical(value);
	if (text === undefined) return undefined;
	return text.length <= SHORT ? text : createHash("sha256").update(text).digest("hex");
}

function canonical(value: unknown): string | undefined {
	try {
		return canonicalJson(value);
	} catch {
		// The value is nested too deeply, or contains a lone surrogate.
		return undefined;
	}
}
