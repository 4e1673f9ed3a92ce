import { type BigIntStats, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isScopeError } from "@xworkmate/platform/scope-tree";
import type { CollectTask } from "./collect-task.ts";

type AttributionFacts = Pick<CollectTask, "namedPaths" | "exclusive" | "window">;

/**
 * Whose a file outside the scope is (docs/protocol.md#artifacts): this run's when its tool events
 * named it, or when no other run was active and it was modified while the run ran.
 */
export function attributeTo({ namedPaths, exclusive, window }: AttributionFacts) {
	const named = new Set<string>();
	for (const path of namedPaths) for (const spelling of spellings(path)) named.add(spelling);
	return (absolutePath: string, stat: BigIntStats): boolean => {
		if (named.has(absolutePath)) return true;
		const modified = Number(stat.mtimeNs / 1_000_000n);
		return exclusive && modified >= window.from && modified <= window.to;
	};
}

/** The path as named and as its folder really lies, the last segment never followed. */
function spellings(path: string): readonly string[] {
	const absolute = resolve(path);
	try {
		return [absolute, join(realpathSync(dirname(absolute)), basename(absolute))];
	} catch (error) {
		// A name that leads nowhere, or holds a NUL, attributes nothing more.
		if (isScopeError(error) || error instanceof TypeError) return [absolute];
		throw error;
	}
}
