import type { ArtifactSyncStatus, RunStatus } from "@xworkmate/contracts";

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
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

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
