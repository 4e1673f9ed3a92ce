import type { RunId, ThreadId } from "@xworkmate/contracts";
import { commandLine } from "../../../text/command-line.ts";
import { formatSpan } from "../../../text/format-measure.ts";
import { oneLine } from "../../../text/printable.ts";

export interface LeftRun {
	readonly threadId: ThreadId;
	/** Absent until the bridge has reported on the run. */
	readonly runId: RunId | undefined;
}

/** What a command prints when it exits before its run has ended: what may continue, and how to see it or stop it. */
export function leavingLines({ threadId, runId }: LeftRun): readonly string[] {
	const id = oneLine(threadId, 200);
	return [
		`This command exited before the stop was confirmed. The run may still be in progress: thread ${id}${runId === undefined ? "" : `, run ${runId}`}.`,
		`  See it: ${commandLine(`threads show ${id}`)}`,
		`  Stop it: ${commandLine(`cancel ${id}`)}`,
	];
}

/** What a command prints when XWorkmate was stopped before the command could see how its run ended. */
export function stoppedLines(threadId: ThreadId): readonly string[] {
	return [
		"XWorkmate was stopped before this command could see how the run ended.",
		`  See it (this starts XWorkmate again): ${commandLine(`threads show ${oneLine(threadId, 200)}`)}`,
	];
}

/** What a command prints when the time limit of its run is reached. `timeout`: in seconds. */
export function limitReached(timeout: number): string {
	return `Time limit of ${formatSpan(timeout * 1_000)} reached, cancelling`;
}
