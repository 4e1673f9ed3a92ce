import { lstatSync, realpathSync } from "node:fs";
import { openScopeTree, ScopeMovedError, type ScopeTree } from "@xworkmate/platform/scope-tree";

/**
 * Opens a folder at its real path: a scope that the plugin created, or a folder that the artifact contract names.
 * @throws ScopeMovedError if something else is there; the system error if nothing is
 */
export function openOwnTree(realRoot: string): ScopeTree {
	if (realpathSync(realRoot) !== realRoot || !lstatSync(realRoot).isDirectory()) {
		throw new ScopeMovedError("the scope is not where it was created");
	}
	return openScopeTree(realRoot);
}
