/**
 * `missing`: the program was not found or did not start. `gone`: the folder to run it in does not exist. `slow`, `large`: a bound was
 * reached. `failed`: git ended with an error.
 */
export type GitProblem = "missing" | "gone" | "slow" | "large" | "failed";

/** git gave no usable answer. */
export class GitError extends Error {
	override readonly name = "GitError";
	readonly code = "GIT_FAILED";
	readonly problem: GitProblem;

	constructor(problem: GitProblem, message: string) {
		super(message);
		this.problem = problem;
	}
}

/** A repository that the bridge does not use. The reason and what to do about it are one sentence each. */
export class RepositoryRefusedError extends Error {
	override readonly name = "RepositoryRefusedError";
	readonly code = "REPOSITORY_REFUSED";
	readonly fix: string | undefined;

	constructor(message: string, fix?: string) {
		super(message);
		this.fix = fix;
	}
}
