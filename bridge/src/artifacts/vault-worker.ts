import { join } from "node:path";
import type { RunId } from "@xworkmate/contracts";
import { collectScope } from "./collect-scope.ts";
import type { CollectOutcome, CollectTask } from "./collect-task.ts";
import { measureCopy } from "./measure-copy.ts";
import { discardCopy } from "./publish-copy.ts";

export interface RemoveTask {
	readonly kind: "remove";
	readonly root: string;
	readonly runId: RunId;
	/** Absolute, below the root: where the copy is put while it is taken apart. */
	readonly aside: string;
}

export type VaultTask = ({ readonly kind: "collect" } & CollectTask) | RemoveTask;
export type VaultResult = CollectOutcome | { readonly kind: "removed"; readonly bytes: number };

/** The vault's work, run in a worker thread by the pool. */
export default function runVaultTask(task: VaultTask): VaultResult {
	if (task.kind === "collect") return collectScope(task);
	const copy = join(task.root, task.runId);
	const bytes = measureCopy(copy);
	discardCopy(copy, task.aside);
	return { kind: "removed", bytes };
}
