import type { ArtifactContract } from "./artifact-contract.ts";
import { requiredGlobProblem } from "./artifact-glob.ts";
import { expectedFolderProblem } from "./expected-folder.ts";

/**
 * Why no run can honor an artifact contract, with the name of the field; undefined if a run can. App and bridge check this before they
 * accept a turn for any provider, so that a mistake does not cost a run.
 */
export function artifactContractProblem({
	required,
	expectedArtifactDirs,
}: Pick<ArtifactContract, "required" | "expectedArtifactDirs">): string | undefined {
	const problems = [
		...required.map(({ glob }, index) => [`required[${index}].glob`, requiredGlobProblem(glob)] as const),
		...expectedArtifactDirs.map((path, index) => [`expectedArtifactDirs[${index}]`, expectedFolderProblem(path)] as const),
	];
	const [found] = problems.filter(([, problem]) => problem !== undefined);
	return found && `${found[0]}: ${found[1]}`;
}
