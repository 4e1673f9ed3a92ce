import { lstatSync, realpathSync } from "node:fs";
import { openScopeTree, ScopeMovedError, type ScopeTree } from "@xworkmate/platform/scope-tree";

/**
 * Opens a folder that the plugin made, at the real path where it was made.
 * @throws ScopeMovedError when something else is there, the system error when nothing does
 */
export function openOwnTree(realRoot: string): ScopeTree {
	if (realpathSync(realRoot) !== realRoot || !lstatSync(realRoot).isDirectory()) {
		throw new ScopeMovedError("the scope is not where it was created");
	}
	return openScopeTree(realRoot);
}
