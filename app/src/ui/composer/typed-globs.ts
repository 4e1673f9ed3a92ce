import type { RequiredArtifact } from "@xworkmate/contracts";
import { requiredGlobProblem } from "@xworkmate/contracts/artifact-glob";
import { words } from "../../strings/interface.ts";

/** What the text typed in the "Required files" field adds to the list. */
interface TypedGlobs {
	/** All required files, including those that were typed. */
	readonly globs: readonly RequiredArtifact[];
	/** The typed text that cannot be required, which remains in the field. */
	readonly rest: string;
	/** What is wrong with the first pattern in `rest`. */
	readonly problem?: string;
}

export function takeTyped(text: string, globs: readonly RequiredArtifact[]): TypedGlobs {
	const added: RequiredArtifact[] = [];
	const rest: string[] = [];
	let problem: string | undefined;
	for (const glob of new Set(splitGlobs(text).map((one) => one.trim()))) {
		if (glob === "" || globs.some((one) => one.glob === glob)) continue;
		const found = problemOf(glob);
		if (found === undefined) added.push({ glob, minCount: 1 });
		else rest.push(glob);
		problem ??= found;
	}
	return { globs: [...globs, ...added], rest: rest.join(", "), ...(problem !== undefined && { problem }) };
}

/** True if the text ends with a comma that completes an entry. */
export function isEntryComplete(text: string): boolean {
	return text.endsWith(",") && splitGlobs(text).at(-1) === "";
}

/** Splits a list at its commas. Inside braces, a comma is part of a pattern. */
function splitGlobs(text: string): readonly string[] {
	const globs: string[] = [];
	let depth = 0;
	let glob = "";
	for (const character of text) {
		if (character === "{") depth++;
		if (character === "}") depth = Math.max(0, depth - 1);
		if (character === "," && depth === 0) {
			globs.push(glob);
			glob = "";
		} else glob += character;
	}
	return [...globs, glob];
}

function problemOf(glob: string): string | undefined {
	if (glob.startsWith("/") || glob.split("/").includes("..")) return words.composer.mustRelative;
	return requiredGlobProblem(glob);
}
