import { realpathSync } from "node:fs";
import type { ArtifactScope } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { excludeFromGit, type GitExclusion } from "./git-exclude.ts";
import { makeEmptyDirectory, ScopeRefusedError } from "./make-directory.ts";
import { BRIDGE_FOLDER } from "./workspace-layout.ts";

export interface PreparedScope {
	/** Absolute real path: the agent's current directory. */
	readonly workingDirectory: string;
	/** Absolute real path, empty. ArtifactStore.collect accepts only this spelling of it. */
	readonly artifactDirectory: string;
	readonly git: GitExclusion;
}

export interface ScopeRequest {
	readonly cwd: string;
	readonly scope: ArtifactScope;
	/** False for the bridge's own folders, which are not in a work tree; true by default. */
	readonly mayBeInGit?: boolean;
}

/**
 * Creates the run's scope `<cwd>/.xworkmate/tasks/<session>/<run>` (docs/protocol.md#turns), empty, so that everything in it at collection
 * is this run's, and keeps `.xworkmate/` out of git. Refuses a link anywhere on the path.
 * @throws ScopeRefusedError
 */
export async function prepareScope({ cwd, scope, mayBeInGit = true }: ScopeRequest): Promise<PreparedScope> {
	const workingDirectory = realDirectory(cwd);
	const artifactDirectory = makeEmptyDirectory(workingDirectory, [BRIDGE_FOLDER, ...scope.split("/")]);
	const git: GitExclusion = mayBeInGit ? await excludeFromGit(workingDirectory) : { state: "outside_git" };
	return { workingDirectory, artifactDirectory, git };
}

function realDirectory(cwd: string): string {
	try {
		return realpathSync.native(cwd);
	} catch (cause) {
		throw new ScopeRefusedError(`the working directory cannot be used: ${errorMessage(cause)}`, { cause });
	}
}
