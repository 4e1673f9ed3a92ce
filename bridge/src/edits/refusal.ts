import { ContractError } from "@xworkmate/contracts";
import { errorMessage, isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import { GitError, RepositoryRefusedError } from "../git/git-error.ts";

/** Converts an error of git or of the file system to one that can be sent to the client. */
export function refusal(error: unknown): unknown {
	if (error instanceof ContractError) return error;
	const isOfFolder = error instanceof Error && "syscall" in error && !isDiskFullCode(systemErrorCode(error));
	if (error instanceof GitError || isOfFolder) return new ContractError("GIT_FAILED", { detail: errorMessage(error), cause: error });
	if (!(error instanceof RepositoryRefusedError)) return error;
	return new ContractError("REPOSITORY_REFUSED", {
		detail: error.message,
		...(error.fix !== undefined && { fix: error.fix }),
		cause: error,
	});
}
