import { realpath } from "node:fs/promises";
import type { ArtifactScope } from "@xworkmate/contracts";
import { excludeFromGit, type GitExclusion } from "./git-exclude.ts";
import { makeEmptyDirectory, ScopeRefusedError } from "./make-directory.ts";
import { errorMessage } from "./system-error.ts";
import { BRIDGE_FOLDER } from "./workspace-layout.ts";

export interface PreparedScope {
	/** Absolute real path: the agent's current directory. */
	readonly workingDirectory: string;
	/** Absolute real path, empty. ArtifactVault.collect takes it as it stands here and refuses any other spelling. */
	readonly artifactDirectory: string;
	readonly git: GitExclusion;
}

/**
 * Makes the run's scope `<cwd>/.xworkmate/tasks/<session>/<run>` (CONTRACT, Methods), empty, so that what
 * is in it at collection is this run's, and keeps `.xworkmate/` out of git. A link anywhere on the way is refused.
 * @throws ScopeRefusedError
 */
export async function prepareScope({ cwd, scope }: { readonly cwd: string; readonly scope: ArtifactScope }): Promise<PreparedScope> {
	const workingDirectory = await realDirectory(cwd);
	const artifactDirectory = await makeEmptyDirectory(workingDirectory, [BRIDGE_FOLDER, ...scope.split("/")]);
	return { workingDirectory, artifactDirectory, git: await excludeFromGit(workingDirectory) };
}

async function realDirectory(cwd: string): Promise<string> {
	try {
		return await realpath(cwd);
	} catch (cause) {
		throw new ScopeRefusedError(`the working directory cannot be used: ${errorMessage(cause)}`, { cause });
	}
}
