import { type BigIntStats, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isScopeError } from "@xworkmate/platform/scope-tree";
import type { CollectTask } from "./collect-task.ts";

type AttributionFacts = Pick<CollectTask, "namedPaths" | "exclusive" | "window">;

/**
 * Attributes a file outside the scope (docs/protocol.md#artifacts): it belongs to this run if the run's tool events named it, or if no
 * other run was active and it was modified during the run.
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

/** The path as named, and with its folder resolved. A link in the last segment is never followed. */
function spellings(path: string): readonly string[] {
	const absolute = resolve(path);
	try {
		return [absolute, join(realpathSync(dirname(absolute)), basename(absolute))];
	} catch (error) {
		// A path that does not exist, or that contains a NUL, has no resolved form.
		if (isScopeError(error) || error instanceof TypeError) return [absolute];
		throw error;
	}
}
