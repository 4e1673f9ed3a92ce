import { lstatSync, mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { ArtifactScope } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { PluginError } from "../platform/plugin-error.ts";

export interface MadeScope {
	/** Absolute real paths. */
	readonly workspaceDirectory: string;
	readonly artifactDirectory: string;
}

/**
 * Creates a new, empty scope for a run below the agent's workspace. Every folder in its path must be a real one: a link would lead the
 * run's files elsewhere.
 * @throws PluginError SCOPE_BLOCKED if something else is at its path, INTERNAL if the system refuses
 */
export function makeScope(workspace: string, scope: ArtifactScope): MadeScope {
	try {
		mkdirSync(workspace, { recursive: true });
		const workspaceDirectory = realpathSync(workspace);
		const segments = scope.split("/");
		let directory = workspaceDirectory;
		for (const [index, segment] of segments.entries()) {
			directory = join(directory, segment);
			makeFolder(directory, segments.slice(0, index + 1).join("/"), index === segments.length - 1);
		}
		if (realpathSync(directory) !== directory) throw scopeBlocked(scope, "is reached through a link");
		return { workspaceDirectory, artifactDirectory: directory };
	} catch (cause) {
		if (cause instanceof PluginError) throw cause;
		// The system's error message would reveal the gateway's folders.
		const reason = systemErrorCode(cause) ?? "unknown error";
		throw new PluginError("INTERNAL", `the gateway could not create the run's folder ${scope} (${reason})`, { cause });
	}
}

/** The error for a run's folder whose path is taken by something else. `shown` is relative to the workspace. */
export function scopeBlocked(shown: string, problem: string): PluginError {
	const fix = "On the gateway's machine, move it away, then try again.";
	return new PluginError("SCOPE_BLOCKED", `${shown} in the agent's workspace ${problem}. ${fix}`);
}

function makeFolder(folder: string, shown: string, mustBeNew: boolean): void {
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw error;
		if (!lstatSync(folder).isDirectory()) throw scopeBlocked(shown, "is a link or a file, but XWorkmate needs a folder there");
		if (mustBeNew) replaceEmpty(folder, shown);
	}
}

/** Replaces a folder that was left by an attempt that ended before the run was recorded. */
function replaceEmpty(folder: string, shown: string): void {
	try {
		rmdirSync(folder);
	} catch (error) {
		if (systemErrorCode(error) === "ENOTEMPTY") throw scopeBlocked(shown, "contains files that do not belong to this run");
		throw error;
	}
	mkdirSync(folder, { mode: 0o700 });
}
