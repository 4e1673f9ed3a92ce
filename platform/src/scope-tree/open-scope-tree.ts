import { existsSync } from "node:fs";
import { openDescriptorTree } from "./descriptor-tree.ts";
import { type HeldDirectory, holdByDescriptor, holdByPath } from "./held-directory.ts";
import { openPathTree } from "./path-tree.ts";
import type { ScopeTree } from "./scope-tree.ts";

const HAS_DESCRIPTOR_PATHS = process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * Opens a tree at a real path (one that realpath returns unchanged). On Linux, the tree is walked by descriptors, which no swap can
 * redirect; elsewhere, paths are checked before and after each step.
 * @throws the system error if the root is a link or not a directory
 */
export function openScopeTree(realRoot: string): ScopeTree {
	return HAS_DESCRIPTOR_PATHS ? openDescriptorTree(realRoot) : openPathTree(realRoot);
}

/**
 * Holds the directory that `path` leads to if it is the one at `real`, a path without links; otherwise returns undefined. On Linux,
 * whatever is created or listed below the returned `path` is in exactly that directory; elsewhere, only `isInPlace` shows whether it still
 * is.
 */
export function holdDirectory(path: string, real: string): HeldDirectory | undefined {
	return HAS_DESCRIPTOR_PATHS ? holdByDescriptor(path, real) : holdByPath(path, real);
}
