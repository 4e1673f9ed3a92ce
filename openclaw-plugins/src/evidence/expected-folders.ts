import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import type { RejectedArtifact } from "@xworkmate/contracts";
import { isScopeError, walkScope } from "@xworkmate/scope-tree";
import { isBelow } from "../approvals/real-target.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { openOwnTree } from "../scope/open-own-tree.ts";
import { sealLimits } from "../seal/seal-limits.ts";
import type { BringFile, BringPlan } from "./bring-plan.ts";

const SLACK_MS = 2000;

/**
 * What lies in the folders besides the scope that the artifact contract names: this run's when its tool
 * events named it, or when it changed while no other run was active. Paths are relative to each folder. The
 * workspace's `tasks` holds other runs' scopes and is not looked into.
 */
export function planExpected(record: RunRecord, folders: readonly string[]): BringPlan {
	const plans = folders.filter((folder) => folder !== "tasks" && !folder.startsWith("tasks/")).map((folder) => planFolder(record, folder));
	return { files: plans.flatMap(({ files }) => files), rejected: plans.flatMap(({ rejected }) => rejected) };
}

function planFolder(record: RunRecord, folder: string): BringPlan {
	const root = join(record.workspaceDirectory, folder);
	if (!isBelow(root, record.workspaceDirectory)) return { files: [], rejected: [] };
	try {
		using tree = openOwnTree(root);
		const rules = { maxFileBytes: sealLimits.maxFileBytes, isRequired: () => false, isAttributed: () => true };
		const walk = walkScope(tree, { rules, budget: { entries: sealLimits.maxEntries } });
		const isOurs = attribute(record, root);
		const files: BringFile[] = [];
		const rejected: RejectedArtifact[] = [...walk.rejected];
		for (const path of walk.files) {
			if (isOurs(path, tree.stat(path.split("/")))) files.push({ source: join(root, path), relativePath: path });
			else rejected.push({ path, reason: "unattributed" });
		}
		return { files, rejected };
	} catch (error) {
		// Nothing there, or not a folder of its own: nothing of this run's.
		if (isScopeError(error)) return { files: [], rejected: [] };
		throw error;
	}
}

function attribute({ evidence, preparedAt, endedAt }: RunRecord, root: string) {
	const named = new Set(evidence.named.map(({ path }) => path));
	const from = Date.parse(preparedAt) - SLACK_MS;
	const to = Date.parse(endedAt ?? preparedAt) + SLACK_MS;
	return (path: string, stat: BigIntStats): boolean => {
		const changed = Number(stat.ctimeMs);
		const isOfThisTime = changed >= from && changed <= to;
		return named.has(join(root, path)) || (evidence.exclusive && isOfThisTime);
	};
}
