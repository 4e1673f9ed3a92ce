import { lstatSync, realpathSync } from "node:fs";
import type { RejectionReason } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { isScopeError, mountPointsIn, openScopeTree, type ScopeTree } from "@xworkmate/platform/scope-tree";

export type OpenedSource =
	| { readonly kind: "open"; readonly tree: ScopeTree }
	| { readonly kind: "missing" }
	| { readonly kind: "refused"; readonly reason: RejectionReason };

/**
 * Opens a directory to collect from. Refuses a mount point, anything that is not a directory, and a path that contains a link: an agent may
 * have placed it there to lead the bridge elsewhere.
 */
export function openSource(directory: string): OpenedSource {
	try {
		if (realpathSync(directory) !== directory) return { kind: "refused", reason: "symlink" };
		if (!lstatSync(directory).isDirectory()) return { kind: "refused", reason: "special_file" };
		if (mountPointsIn(directory).includes(directory)) return { kind: "refused", reason: "mount" };
		return { kind: "open", tree: openScopeTree(directory) };
	} catch (error) {
		// A dangling link also counts as missing.
		if (systemErrorCode(error) === "ENOENT") return { kind: "missing" };
		if (isScopeError(error)) return { kind: "refused", reason: "changed_while_reading" };
		throw error;
	}
}
