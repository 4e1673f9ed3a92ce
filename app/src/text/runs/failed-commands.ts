import type { Activity } from "@xworkmate/contracts";
import { failedCommandsIn } from "@xworkmate/contracts/last-commands";
import { activityWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { sayCount } from "./actions-title.ts";

/** The maximum number of commands that are named. */
const NAMED = 3;

/**
 * The commands that an agent itself reported as failed and has not since reported as successful: "1 command failed: npm test". The line is
 * shown beside the answer, which may claim the opposite. Empty if there are none. The agent wrote the names, so the caller makes hidden
 * characters visible.
 */
export function failedCommands(activity: Pick<Activity, "items"> | undefined): readonly string[] {
	return failedCommandLines(failedCommandsIn(activity));
}

/** The line of `failedCommands` for commands whose names are known. */
export function failedCommandLines(failed: readonly string[]): readonly string[] {
	if (failed.length === 0) return [];
	const line = `${failedCount(failed.length)}: ${failed.slice(0, NAMED).join(", ")}`;
	return [failed.length > NAMED ? fill(activityWords.failedMore, { line, count: failed.length - NAMED }) : line];
}

/** A success with the number of commands that failed: "Succeeded · 1 command failed". */
export function withFailedCommands(state: string, failed: number | undefined): string {
	return failed === undefined || failed === 0 ? state : `${state} · ${failedCount(failed)}`;
}

/** How many commands failed: "1 command failed". */
export function failedCount(count: number): string {
	return sayCount(count, activityWords.failedCommands);
}
