import type { ArtifactSyncStatus, Occurrence, RunStatus } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { CommanderError } from "commander";
import { WrongUsage } from "../../errors/wrong-usage.ts";

/** Exit codes of the command (docs/protocol.md#the-command). */
export const exitCode = {
	success: 0,
	beforeRun: 1,
	usage: 2,
	failed: 3,
	artifactMissing: 4,
	cancelled: 5,
	interrupted: 6,
	/** The action succeeded, but its output could not be written. */
	unwritten: 7,
	/** The run succeeded, but files that it delivered are not in the folder. */
	notSaved: 8,
	/** A message of a plan, or its work as a whole, needs the user's review. */
	needsReview: 9,
	/** A plan's message may or may not have been sent. */
	unknown: 10,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The exit code of an error that ended a command: `usage` if the command line is wrong, otherwise `beforeRun`. */
export function exitCodeOfError(error: unknown): ExitCode {
	// Commander also throws after it has printed the help or the version.
	if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.usage;
	return error instanceof WrongUsage ? exitCode.usage : exitCode.beforeRun;
}

/** The exit code of a run that has ended. @throws RangeError for a run that has not ended */
export function exitCodeOf(status: RunStatus, syncStatus?: ArtifactSyncStatus): ExitCode {
	switch (status) {
		case "completed":
			return syncStatus === "partial" ? exitCode.notSaved : exitCode.success;
		case "failed":
			return exitCode.failed;
		case "artifact_missing":
			return exitCode.artifactMissing;
		case "cancelled":
			return exitCode.cancelled;
		case "interrupted":
			return exitCode.interrupted;
		case "queued":
		case "running":
			throw new RangeError(`a ${status} run has no exit code`);
	}
}

/** The exit code of an occurrence that is over or is waiting for the user; undefined while it continues. */
export function exitCodeOfOccurrence({ status, delivery }: Pick<Occurrence, "status" | "delivery">): ExitCode | undefined {
	switch (status) {
		case "due":
		case "running":
		case "delivering":
			return undefined;
		case "needs_review":
			return delivery.some((action) => action.status === "unknown") ? exitCode.unknown : exitCode.needsReview;
		case "completed":
		case "skipped":
			return exitCode.success;
		case "failed":
			// If every message was delivered after all, this is a success. A message that the user discarded was not delivered.
			return delivery.length > 0 && delivery.every(hasArrived) ? exitCode.success : exitCode.failed;
		case "cancelled":
			return exitCode.cancelled;
	}
}
