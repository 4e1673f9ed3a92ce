import { join } from "node:path";
import { CURRENT_TASK_WORKSPACE } from "@xworkmate/contracts";
import type { LiveRun } from "../runs/live-run.ts";
import type { RunRecord } from "../runs/run-record.ts";

const BRACED = `\${${CURRENT_TASK_WORKSPACE.slice(1)}}`;

/** Replaces the placeholder of the scope, in either spelling that a shell has for it, with the scope's path. */
export function resolveScopeName(text: string, artifactDirectory: string): string {
	// Passed as a function, because `$` patterns in a replacement text have a special meaning.
	return text.replaceAll(CURRENT_TASK_WORKSPACE, () => artifactDirectory).replaceAll(BRACED, () => artifactDirectory);
}

/** The text that the model gets in addition to the user's message: where final files go, files delivered earlier, the app's context. */
export function turnContext(record: RunRecord, live: Pick<LiveRun, "context" | "earlier">): string {
	const { artifactDirectory } = record;
	const parts = [
		`Final files of this task belong in ${artifactDirectory} (in a shell: $XWORKMATE_ARTIFACT_DIRECTORY). ` +
			"Write them there, using that absolute path. A file that is elsewhere, or is only described, is not delivered. " +
			"Keep scratch files out of that directory.",
		earlierText(record, live.earlier),
		live.context === undefined ? "" : resolveScopeName(live.context, artifactDirectory),
	];
	return parts.filter((part) => part !== "").join("\n\n");
}

function earlierText({ artifactDirectory }: RunRecord, earlier: LiveRun["earlier"]): string {
	if (earlier === undefined || earlier.paths.length === 0) return "";
	const directory = join(artifactDirectory, "..", earlier.runId);
	const paths = earlier.paths.map((path) => `- ${path}`).join("\n");
	return `The files that an earlier run of this conversation delivered are in ${directory}:\n${paths}\nDo not change them there. To deliver a changed version, write the whole file into ${artifactDirectory}.`;
}
