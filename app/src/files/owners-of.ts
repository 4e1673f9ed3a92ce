import type { RunId } from "@xworkmate/contracts";
import type { Thread } from "../threads/index.ts";

/** The run that each path in the folder comes from: the newest run that saved a file there, even if later runs had no files. */
export function ownersOf({ turns }: Thread): ReadonlyMap<string, RunId> {
	const owners = new Map<string, RunId>();
	for (const { runId, syncedPaths } of turns) {
		if (runId !== undefined) for (const path of syncedPaths) owners.set(path, runId);
	}
	return owners;
}
