import type { RunId } from "@xworkmate/contracts";
import type { Thread } from "../threads/index.ts";

/** Which run the folder has each path from: the newest that saved it there, whatever runs without files came after. */
export function ownersOf({ turns }: Thread): ReadonlyMap<string, RunId> {
	const owners = new Map<string, RunId>();
	for (const { runId, syncedPaths } of turns) {
		if (runId !== undefined) for (const path of syncedPaths) owners.set(path, runId);
	}
	return owners;
}
