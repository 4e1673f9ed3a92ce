import type { Activity } from "@xworkmate/contracts";
import { activityWords } from "../strings/call-words.ts";
import { fill } from "../strings/interface.ts";

/** How many commands are named. */
const NAMED = 3;

/**
 * The commands that an agent itself reported as failed and did not report as repeated with success: "1 command failed: npm test". It is
 * shown beside the answer, which may claim the opposite. Empty, or one line. The words are the agent's: the caller makes hidden characters
 * visible.
 */
export function failedCommands(activity: Pick<Activity, "items"> | undefined): readonly string[] {
	const left = new Set<string>();
	for (const { origin, toolId, status, code, words } of activity?.items ?? []) {
		if (origin !== "reported" || !toolId.endsWith(":execute")) continue;
		if (status === "succeeded") left.delete(words);
		// A denied command did not fail. It is mentioned elsewhere.
		else if (status === "failed" && code !== "DENIED") left.add(words);
	}
	const failed = [...left];
	if (failed.length === 0) return [];
	const names = failed.slice(0, NAMED).join(", ");
	const { one, many, more } = activityWords.failedCommands;
	const line = fill(failed.length === 1 ? one : many, { count: failed.length, names });
	return [failed.length > NAMED ? fill(more, { line, count: failed.length - NAMED }) : line];
}
