/** `missing`: there is no program. `slow`, `large`: its bounds were reached. `failed`: it ended with an error. */
export type GitProblem = "missing" | "slow" | "large" | "failed";

/** git gave no answer that can be used. */
export class GitError extends Error {
	override readonly name = "GitError";
	readonly code = "GIT_FAILED";
	readonly problem: GitProblem;

	constructor(problem: GitProblem, message: string) {
		super(message);
		this.problem = problem;
	}
}

/** A repository that is not used, with the reason and what to do about it in one sentence each. */
export class RepositoryRefusedError extends Error {
	override readonly name = "RepositoryRefusedError";
	readonly code = "REPOSITORY_REFUSED";
	readonly fix: string | undefined;

	constructor(message: string, fix?: string) {
		super(message);
		this.fix = fix;
	}
}
