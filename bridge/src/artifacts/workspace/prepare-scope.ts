import { mkdirSync, realpathSync } from "node:fs";
import type { ArtifactScope } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { excludeFromGit, type GitExclusion } from "./git-exclude.ts";
import { addEmptyDirectory, makeEmptyDirectory, ScopeRefusedError } from "./make-directory.ts";
import { BRIDGE_FOLDER } from "./workspace-layout.ts";

export interface PreparedScope {
	/** Absolute real path: the agent's current directory. */
	readonly workingDirectory: string;
	/** Absolute real path of an empty folder. ArtifactStore.collect accepts only this form of the path. */
	readonly artifactDirectory: string;
	readonly git: GitExclusion;
}

export interface ScopeRequest {
	readonly cwd: string;
	readonly scope: ArtifactScope;
	/** Set for the bridge's own folders, which are created if they are missing, and count as outside any work tree. */
	readonly isOwn?: true;
	/** The path that `cwd` must resolve to. If a link now points elsewhere, `cwd` is refused. */
	readonly real?: string;
	/** The path that `cwd` probably resolves to; checked before it is used. */
	readonly known?: string | undefined;
}

/**
 * Creates the run's scope `<cwd>/.xworkmate/tasks/<session>/<run>` (docs/protocol.md#turns). It is empty, so that everything in it at
 * collection belongs to this run. Also keeps `.xworkmate/` out of git, and refuses a link below `cwd`. Every turn does this, so it is kept
 * cheap: if the session's folders exist already, creating the scope takes only a few file system calls.
 * @throws ScopeRefusedError
 */
export async function prepareScope(request: ScopeRequest): Promise<PreparedScope> {
	const { workingDirectory, artifactDirectory } = furtherScope(request) ?? firstScope(request);
	const git: GitExclusion = request.isOwn ? { state: "outside_git" } : await excludeFromGit(workingDirectory);
	return { workingDirectory, artifactDirectory, git };
}

type Directories = Pick<PreparedScope, "workingDirectory" | "artifactDirectory">;

function furtherScope({ cwd, scope, real, known }: ScopeRequest): Directories | undefined {
	const workingDirectory = real ?? known;
	if (workingDirectory === undefined) return undefined;
	const artifactDirectory = addEmptyDirectory(cwd, workingDirectory, segmentsOf(scope));
	return artifactDirectory === undefined ? undefined : { workingDirectory, artifactDirectory };
}

function firstScope({ cwd, scope, isOwn, real }: ScopeRequest): Directories {
	if (isOwn) mkdirSync(cwd, { recursive: true, mode: 0o700 });
	const workingDirectory = realDirectory(cwd);
	if (real !== undefined && real !== workingDirectory)
		throw new ScopeRefusedError("the working folder's path now leads to a different folder");
	return { workingDirectory, artifactDirectory: makeEmptyDirectory(workingDirectory, segmentsOf(scope)) };
}

function segmentsOf(scope: ArtifactScope): readonly string[] {
	return [BRIDGE_FOLDER, ...scope.split("/")];
}

function realDirectory(cwd: string): string {
	try {
		return realpathSync.native(cwd);
	} catch (cause) {
		throw new ScopeRefusedError(`the working directory cannot be used: ${errorMessage(cause)}`, { cause });
	}
}
