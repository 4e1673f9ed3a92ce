import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, systemErrorCode } from "../errors/system-error.ts";
import type { ConfigProblem, ParsedConfig } from "./config-text.ts";

/** `<home>/config.json` as it was read. */
export interface ConfigFile extends ParsedConfig {
	readonly path: string;
	/** Absent if the file does not exist or cannot be read. */
	readonly text?: string;
}

/** How many problems are named after the first. */
const ALSO_NAMED = 3;
const MAX_BYTES = 1024 * 1024;
/** O_NONBLOCK: opening a pipe without a writer returns at once instead of waiting for one. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export function configPath(home: string): string {
	return join(home, "config.json");
}

/**
 * Reads `<home>/config.json`. Never rejects because of the file's content: what is wrong with it is in `problems`. Without the file,
 * nothing is set.
 */
export async function readConfigFile(home: string): Promise<ConfigFile> {
	const path = configPath(home);
	const read = readText(path);
	if (read === undefined) return { path, values: new Map(), problems: [] };
	if ("message" in read) return { path, values: new Map(), problems: [read] };
	// The parser is loaded only for a home that has the file.
	const { parseConfig } = await import("./config-text.ts");
	return { path, text: read.text, ...parseConfig(read.text) };
}

/**
 * The first problem, preceded by its place as `<path>:<line>:<column>`; `fix` also names the next ones, and how many more there are.
 * Undefined if there are none.
 */
export function saidProblem({ path, problems }: Pick<ConfigFile, "path" | "problems">): { message: string; fix: string } | undefined {
	const [first, ...others] = problems;
	if (first === undefined) return undefined;
	const named = others.slice(0, ALSO_NAMED).map((one) => ` Also, ${placeIn(path, one)}: ${one.message}`);
	const rest = others.length - named.length;
	const more = rest === 0 ? "" : rest === 1 ? " The file has one more problem." : ` The file has ${rest} more problems.`;
	return { message: `${placeIn(path, first)}: ${first.message}`, fix: `${first.fix}${named.join("")}${more}` };
}

export function placeIn(path: string, { line, column }: ConfigProblem): string {
	return `${path}:${line}:${column}`;
}

function readText(path: string): { readonly text: string } | ConfigProblem | undefined {
	const unreadable = (why: string, fix: string) => ({ line: 1, column: 1, message: `The file can't be read: ${why}.`, fix });
	try {
		const file = openSync(path, READ);
		try {
			const stats = fstatSync(file);
			if (!stats.isFile()) return unreadable("it is a folder or a special file", "Move it to another folder.");
			if (stats.size > MAX_BYTES) return unreadable("it is larger than 1 MB", "Move it to another folder.");
			const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
			return { text };
		} finally {
			closeSync(file);
		}
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return undefined;
		if (error instanceof TypeError) return unreadable("it is not UTF-8 text", "Save it as UTF-8, or move it to another folder.");
		return unreadable(errorMessage(error).replace(/\.$/, ""), "Make the file readable for your user, or move it to another folder.");
	}
}
