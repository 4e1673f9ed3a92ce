import { existsSync, lstatSync, realpathSync } from "node:fs";
import { DescriptorTree } from "./descriptor-tree.ts";
import { PathTree } from "./path-tree.ts";
import { ScopeMovedError } from "./scope-error.ts";
import type { ScopeTree } from "./scope-tree.ts";

const HAS_DESCRIPTOR_PATHS = process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * Opens a tree at a real path. Linux walks by descriptors, which no swap can redirect; elsewhere paths are
 * checked before and after each step.
 * @throws ScopeMovedError when the root is not its own real path, the system error when it is no folder
 */
export function openScopeTree(realRoot: string): ScopeTree {
	if (realpathSync(realRoot) !== realRoot || !lstatSync(realRoot).isDirectory()) {
		throw new ScopeMovedError("the scope does not lie where it was made");
	}
	return HAS_DESCRIPTOR_PATHS ? new DescriptorTree(realRoot) : new PathTree(realRoot);
}
