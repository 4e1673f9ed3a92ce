import { realpathSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { PluginError } from "../platform/plugin-error.ts";
import { scopeBlocked } from "./make-scope.ts";
import type { RunRecord } from "./run-record.ts";

/**
 * Removes a run's empty folder and the parents that are then empty, up to the workspace. Never removes a file. A missing folder is fine: an
 * earlier attempt may have been interrupted after removing it.
 * @throws PluginError SCOPE_BLOCKED if it is not empty, or something else is at its path; INTERNAL if the system refuses
 */
export function removeScope({ artifactScope, artifactDirectory, workspaceDirectory }: RunRecord): void {
	try {
		if (realpathSync(artifactDirectory) !== artifactDirectory) throw scopeBlocked(artifactScope, "is reached through a link");
		rmdirSync(artifactDirectory);
	} catch (cause) {
		if (cause instanceof PluginError) throw cause;
		const code = systemErrorCode(cause);
		if (code !== "ENOENT") throw refusal(artifactScope, code, cause);
	}
	for (let folder = dirname(artifactDirectory); folder !== workspaceDirectory; folder = dirname(folder)) removeIfEmpty(folder);
}

function refusal(scope: string, code: string | undefined, cause: unknown): PluginError {
	if (code === "ENOTEMPTY" || code === "EEXIST") return scopeBlocked(scope, "contains files that do not belong to this run");
	if (code === "ENOTDIR") return scopeBlocked(scope, "is a file, but XWorkmate needs a folder there");
	return new PluginError("INTERNAL", `the gateway could not remove the run's folder ${scope} (${code ?? "unknown error"})`, { cause });
}

/** A folder that the system refuses to remove, for example because it is not empty, is left in place. */
function removeIfEmpty(folder: string): void {
	try {
		rmdirSync(folder);
	} catch (error) {
		if (systemErrorCode(error) === undefined) throw error;
	}
}
