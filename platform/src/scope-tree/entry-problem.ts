import type { BigIntStats } from "node:fs";
import { artifactPathProblem, caseFold, type RejectionReason } from "@xworkmate/contracts";

const PLACEHOLDERS: ReadonlySet<string> = new Set([".gitkeep", ".keep", ".ds_store", "thumbs.db", "desktop.ini"]);

export interface EntryRules {
	readonly maxFileBytes: number;
	/** True for a path that a required glob matches. */
	readonly isRequired: (path: string) => boolean;
	/** Whether the file may count as the run's. */
	readonly isAttributed: (path: string, stat: BigIntStats) => boolean;
}

/**
 * Returns the reason why an entry other than a directory does not count, or undefined if it may. Attribution is checked first, then the
 * type, the name and the size.
 */
export function entryProblem(path: string, stat: BigIntStats, rules: EntryRules): RejectionReason | undefined {
	if (!rules.isAttributed(path, stat)) return "unattributed";
	if (stat.isSymbolicLink()) return "symlink";
	if (!stat.isFile()) return "special_file";
	if (stat.nlink > 1n) return "hard_link";
	const nameProblem = artifactPathProblem(path);
	if (nameProblem !== undefined) return nameProblem;
	if (PLACEHOLDERS.has(caseFold(path.slice(path.lastIndexOf("/") + 1)))) return "placeholder";
	if (stat.size > BigInt(rules.maxFileBytes)) return "too_large";
	return stat.size === 0n && rules.isRequired(path) ? "empty_required" : undefined;
}
