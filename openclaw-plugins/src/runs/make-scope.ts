import { lstatSync, mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { ArtifactScope } from "@xworkmate/contracts";
import { errorMessage, systemErrorCode } from "@xworkmate/scope-tree";
import { PluginError } from "../plugin-error.ts";

export interface MadeScope {
	/** Absolute real paths. */
	readonly workspaceDirectory: string;
	readonly artifactDirectory: string;
}

/**
 * Makes a run's scope below the agent's workspace, new and empty, each folder one of its own: a link on the
 * way would lead the run's files elsewhere.
 * @throws PluginError INTERNAL
 */
export function makeScope(workspace: string, scope: ArtifactScope): MadeScope {
	try {
		mkdirSync(workspace, { recursive: true });
		const workspaceDirectory = realpathSync(workspace);
		const segments = scope.split("/");
		let directory = workspaceDirectory;
		for (const [index, segment] of segments.entries()) {
			directory = join(directory, segment);
			makeFolder(directory, index === segments.length - 1);
		}
		if (realpathSync(directory) !== directory) throw new Error("a folder of the scope leads elsewhere");
		return { workspaceDirectory, artifactDirectory: directory };
	} catch (cause) {
		throw new PluginError("INTERNAL", `the scope cannot be made: ${errorMessage(cause)}`, { cause });
	}
}

function makeFolder(folder: string, mustBeNew: boolean): void {
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw error;
		if (mustBeNew) replaceEmpty(folder);
		else if (!lstatSync(folder).isDirectory()) throw new Error("a folder of the scope is no folder of its own");
	}
}

/** One left by an attempt that ended before the run was written down. rmdir refuses what holds anything, and what is no folder. */
function replaceEmpty(folder: string): void {
	rmdirSync(folder);
	mkdirSync(folder, { mode: 0o700 });
}
