import { join } from "node:path";
import type { RunId } from "@xworkmate/contracts";
import { directorySize } from "./directory-size.ts";
import { discardCopy } from "./publish-copy.ts";

// The artifact store's synchronous work. The pool calls these functions by name in a worker thread.
export { collectScope } from "./collect-scope.ts";

export interface RemoveTask {
	readonly root: string;
	readonly runId: RunId;
	/** Absolute, below the root: the copy is moved here before it is removed. */
	readonly aside: string;
}

/** Removes a run's copy. Returns its size in bytes. */
export function removeCopy({ root, runId, aside }: RemoveTask): number {
	const copy = join(root, runId);
	const bytes = directorySize(copy);
	discardCopy(copy, aside);
	return bytes;
}
