import { CURRENT_TASK_WORKSPACE } from "@xworkmate/contracts";
import type { PreviousArtifacts } from "../../ports/agents/provider.ts";
import type { RunInput } from "../../ports/runs/run-record.ts";

const LISTED_PATHS = 20;

/**
 * The prompt for a runtime that reads prose: the app's context, where this run's final files belong, where earlier files are, and finally
 * the user's message (docs/protocol.md#turns). Only the runtime receives it.
 */
export function composePrompt(input: RunInput, artifactDirectory: string, earlier: PreviousArtifacts | undefined): string {
	const parts = [
		// The replacement is a function, because `$` has a special meaning in a replacement text.
		...(input.workspaceContext === undefined ? [] : [input.workspaceContext.replaceAll(CURRENT_TASK_WORKSPACE, () => artifactDirectory)]),
		artifactRules(artifactDirectory),
		...(earlier === undefined ? [] : [earlierFiles(earlier)]),
		input.prompt,
	];
	return parts.join("\n\n");
}

function artifactRules(artifactDirectory: string): string {
	return [
		"Final files of this task belong in this directory, which exists and is empty:",
		artifactDirectory,
		"Only files in it when the task ends count as delivered. Naming a file in text does not deliver it.",
		"Keep drafts and intermediate files out of it.",
	].join("\n");
}

function earlierFiles({ directory, paths, count }: PreviousArtifacts): string {
	const listed = paths.slice(0, LISTED_PATHS).map((path) => `- ${path}`);
	const more = count > listed.length ? [`- and ${count - listed.length} more`] : [];
	return [
		`The last deliverables of this conversation are in ${directory}:`,
		...listed,
		...more,
		"They are history. A changed or new version of any of them belongs in this task's own directory.",
	].join("\n");
}
