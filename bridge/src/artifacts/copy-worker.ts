import { join } from "node:path";
import type { RunId } from "@xworkmate/contracts";
import { collectScope } from "./collect-scope.ts";
import type { CollectOutcome, CollectTask } from "./collect-task.ts";
import { directorySize } from "./directory-size.ts";
import { discardCopy } from "./publish-copy.ts";

export interface RemoveTask {
	readonly kind: "remove";
	readonly root: string;
	readonly runId: RunId;
	/** Absolute, below the root: the copy is moved here before it is removed. */
	readonly aside: string;
}

export type CopyTask = ({ readonly kind: "collect" } & CollectTask) | RemoveTask;
export type CopyOutcome = CollectOutcome | { readonly kind: "removed"; readonly bytes: number };

/** Does the artifact store's synchronous work; the pool runs it in a worker thread. */
export default function runCopyTask(task: CopyTask): CopyOutcome {
	if (task.kind === "collect") return collectScope(task);
	const copy = join(task.root, task.runId);
	const bytes = directorySize(copy);
	discardCopy(copy, task.aside);
	return { kind: "removed", bytes };
}
