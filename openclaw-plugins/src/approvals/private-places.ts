import { join, relative } from "node:path";
import { ArtifactScope } from "@xworkmate/contracts";
import type { GatewayPlaces } from "../attribution/gateway-places.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { isBelow } from "../tools/real-target.ts";

/** Folders inside the gateway's own folder that all conversations may use. */
const SHARED_FOLDERS = ["media", "skills"];

export interface PrivatePlaces {
	readonly places: GatewayPlaces;
	/** The run's own temporary folder. */
	readonly ownTemporary: string;
	/** The workspaces of all known runs. */
	readonly workspaces: readonly string[];
	/** True if the tool also reads subfolders. */
	readonly isDeep: boolean;
}

/**
 * Whether reading a path would show what belongs to another conversation: its files below `tasks`, or what the gateway stores about every
 * conversation in its own folder. `path` is absolute and real.
 */
export function isOfOthers(path: string, record: RunRecord, { places, ownTemporary, workspaces, isDeep }: PrivatePlaces): boolean {
	const own = join(record.artifactDirectory, "..");
	const scopes = workspaces.map((workspace) => join(workspace, "tasks"));
	if (isIn(path, own) || isIn(path, ownTemporary)) return false;
	if (scopes.some((folder) => isIn(path, folder) || (isDeep && isIn(folder, path)))) return true;
	if (isDeep && isIn(places.state, path)) return true;
	if (!isIn(path, places.state)) return false;
	return ![...SHARED_FOLDERS.map((name) => join(places.state, name)), ...workspaces].some((folder) => isIn(path, folder));
}

/** The scope, below one of the agents' workspaces, that a path is or leads into; undefined if there is none. */
export function scopeAt(
	path: string,
	workspaces: readonly string[],
): { readonly workspace: string; readonly scope: ArtifactScope } | undefined {
	for (const workspace of workspaces) {
		const scope = ArtifactScope.safeParse(relative(workspace, path).split("/").slice(0, 3).join("/"));
		if (scope.success) return { workspace, scope: scope.data };
	}
	return undefined;
}

function isIn(path: string, folder: string): boolean {
	return path === folder || isBelow(path, folder);
}
