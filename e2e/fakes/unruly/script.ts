import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** One step of what a prompt asks the unruly agent to do. */
export interface Step {
	readonly verb: string;
	/** What follows the verb, unchanged. */
	readonly rest: string;
}

/**
 * The steps of the last line that begins with `UNRULY:`, anywhere in a line; joined by ` ;; `.
 * Without one the agent greets.
 */
export function readScript(prompt: string): readonly Step[] {
	const lines = prompt.split("\n");
	const line = lines.findLast((candidate) => candidate.includes("UNRULY:")) ?? storyOf(lines);
	if (line === undefined) return [{ verb: "SAY", rest: "Hello from the unruly agent." }];
	return line
		.slice(line.indexOf("UNRULY:"))
		.split(" ;; ")
		.map((step) => {
			const [, verb = "", rest = ""] = /^(?:UNRULY:)?\s*([A-Z_]+)\s?(.*)$/s.exec(step.trim()) ?? [];
			return { verb, rest };
		});
}

/** The script of a prompt that reads as a user's: the file of UNRULY_STORIES holds it by one of the prompt's lines. */
function storyOf(lines: readonly string[]): string | undefined {
	const { UNRULY_STORIES: file } = process.env;
	if (file === undefined) return undefined;
	const stories = new Map(Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>));
	return lines.map((line) => stories.get(line)).findLast((story) => story !== undefined);
}

const SCOPE_LINE = /^\/.*\/tasks\/[a-z0-9-]+-[0-9a-f]{12}\/[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** The directory for final files that the prompt states on its own line, as an agent that reads prose finds it. */
export function artifactDirectory(prompt: string): string | undefined {
	return prompt.split("\n").find((line) => SCOPE_LINE.test(line));
}

/** A path of a directive: `$XWORKMATE_ARTIFACT_DIRECTORY` and relative paths are in the stated directory. */
export function resolveTarget(path: string, directory: string): string {
	const resolved = path.replace("$XWORKMATE_ARTIFACT_DIRECTORY", directory);
	return isAbsolute(resolved) ? resolved : join(directory, resolved);
}

/** The first word and the rest after it. */
export function firstWord(text: string): readonly [string, string] {
	const [, word = "", rest = ""] = /^(\S+)\s?(.*)$/s.exec(text) ?? [];
	return [word, rest];
}
