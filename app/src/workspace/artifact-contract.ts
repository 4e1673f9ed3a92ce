import {
	ArtifactContract,
	type ArtifactContractInput,
	artifactContractProblem,
	CURRENT_TASK_WORKSPACE,
	omitUndefined,
} from "@xworkmate/contracts";
import { z } from "zod";
import { AppError } from "../errors/app-error.ts";

/** The files that the user requires from a turn. Nothing is inferred from the prompt. */
export interface ArtifactDemand {
	/** Globs, optionally with a minimum count. */
	readonly require?: readonly (string | { readonly glob: string; readonly minCount?: number })[];
	/** True if at least one file is required. */
	readonly requiresExport?: boolean;
	readonly expectedArtifactDirs?: readonly string[];
	readonly localWorkspace: string;
	readonly remoteWorkspaceHint?: string;
}

/**
 * The `metadata.xworkmateTaskArtifactContract` of a turn (docs/protocol.md#artifact-contract).
 * @throws AppError INVALID_INPUT naming the glob, folder or field that the contract does not allow, as the bridge would
 */
export function artifactContract(demand: ArtifactDemand): ArtifactContract {
	const { require = [], requiresExport = false, expectedArtifactDirs = [], localWorkspace, remoteWorkspaceHint } = demand;
	const input: ArtifactContractInput = {
		schemaVersion: 1,
		scopeKind: "task",
		requiresExport,
		required: require.map((entry) => (typeof entry === "string" ? { glob: entry } : { ...entry })),
		expectedArtifactDirs: [...expectedArtifactDirs],
		rejectTextOnlyClaims: true,
		currentTaskWorkspace: CURRENT_TASK_WORKSPACE,
		localWorkspace,
		...omitUndefined({ remoteWorkspaceHint }),
	};
	const parsed = ArtifactContract.safeParse(input);
	if (!parsed.success) throw refusal(z.prettifyError(parsed.error), parsed.error);
	const problem = artifactContractProblem(parsed.data);
	if (problem !== undefined) throw refusal(problem);
	return parsed.data;
}

function refusal(problem: string, cause?: unknown): AppError {
	const fix = "Correct the value that this error names. Paths and patterns must be relative, with '/' between folders and without '..'.";
	return new AppError("INVALID_INPUT", problem, fix, cause);
}
