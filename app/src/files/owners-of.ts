import type { RunId } from "@xworkmate/contracts";
import type { Thread } from "../threads/index.ts";

/**
 * For each path in the folder, the run whose file is there: the newest run that saved a file at the path, even if later runs had no files.
 */
export function ownersOf({ turns }: Thread): ReadonlyMap<string, RunId> {
	const owners = new Map<string, RunId>();
	for (const { runId, syncedPaths } of turns) {
		if (runId !== undefined) for (const path of syncedPaths) owners.set(path, runId);
	}
	return owners;
}
