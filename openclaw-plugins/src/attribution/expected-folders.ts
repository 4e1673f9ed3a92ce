import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import type { RejectedArtifact } from "@xworkmate/contracts";
import { isScopeError, type ScopeTree, walkScope } from "@xworkmate/platform/scope-tree";
import type { RunRecord } from "../runs/run-record.ts";
import { openOwnTree } from "../scope/open-own-tree.ts";
import { isBelow } from "../tools/real-target.ts";
import { isExpectedFile } from "./attribute-file.ts";
import type { BringFile, BringPlan } from "./bring-plan.ts";
import { changedWithin, isOlder } from "./changed-within.ts";
import { sealLimits } from "./seal-limits.ts";

type OpenTree = (root: string) => ScopeTree;

/**
 * The files in the folders outside the scope that the artifact contract names, with paths relative to their folder. A file that changed
 * during the run is this run's if one of the run's events named it, or if no other run worked during that time. A file that existed before
 * the run is this run's only if a file tool of the run wrote it: a command that names a file may only have touched it. The workspace's
 * `tasks` contains other runs' scopes and is skipped.
 */
export function planExpected(record: RunRecord, folders: readonly string[], open: OpenTree = openOwnTree): BringPlan {
	const others = folders.filter((folder) => folder !== "tasks" && !folder.startsWith("tasks/"));
	const plans = others.map((folder) => planFolder(record, folder, open));
	return { files: plans.flatMap(({ files }) => files), rejected: plans.flatMap(({ rejected }) => rejected) };
}

function planFolder(record: RunRecord, folder: string, open: OpenTree): BringPlan {
	const root = join(record.workspaceDirectory, folder);
	if (!isBelow(root, record.workspaceDirectory)) return { files: [], rejected: [] };
	try {
		using tree = open(root);
		const rules = { maxFileBytes: sealLimits.maxFileBytes, isRequired: () => false, isAttributed: () => true };
		const walk = walkScope(tree, { rules, budget: { entries: sealLimits.maxEntries } });
		const isOurs = attribute(record, root);
		const files: BringFile[] = [];
		const rejected: RejectedArtifact[] = [...walk.rejected];
		for (const path of walk.files) {
			const stat = statOf(tree, path);
			if (stat === undefined) rejected.push({ path, reason: "changed_while_reading" });
			else if (isOurs(path, stat)) files.push({ source: join(root, path), relativePath: path });
			else rejected.push({ path, reason: "unattributed" });
		}
		return { files, rejected };
	} catch (error) {
		// The folder is missing, is not a real folder, or cannot be read, so nothing in it counts.
		if (isScopeError(error)) return { files: [], rejected: [] };
		throw error;
	}
}

/** Undefined if the file can't be examined, for example because it has disappeared since the folder was read. */
function statOf(tree: ScopeTree, path: string): BigIntStats | undefined {
	try {
		return tree.stat(path.split("/"));
	} catch (error) {
		if (isScopeError(error)) return undefined;
		throw error;
	}
}

function attribute(record: RunRecord, root: string) {
	const { named, exclusive } = record.evidence;
	const written = new Set(named.flatMap(({ path, by }) => (by === "write" ? [path] : [])));
	const spokenOf = new Set(named.map(({ path }) => path));
	return (path: string, stat: BigIntStats): boolean =>
		isExpectedFile({
			isOfThisTime: changedWithin(stat, record),
			isOlder: isOlder(stat, record),
			isWritten: written.has(join(root, path)),
			isNamed: spokenOf.has(join(root, path)),
			exclusive,
		});
}
