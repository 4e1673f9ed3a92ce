import type { ArtifactContract, ThreadId } from "@xworkmate/contracts";
import { AppError } from "../errors/app-error.ts";

export interface WorkspaceContext {
	/** The app's sessionKey. In this context only, it is another word for threadId. */
	readonly sessionKey: ThreadId;
	readonly contract: ArtifactContract;
}

/**
 * The `TaskThread workspace context` prefix with its six items (docs/protocol.md#workspace-context). It is sent only to the runtime, and
 * never appears in a transcript, a list or a log.
 * @throws AppError INVALID_INPUT if a path or glob contains a control character: a line break could add lines to the context
 */
export function workspaceContext({ sessionKey, contract }: WorkspaceContext): string {
	const { localWorkspace, remoteWorkspaceHint, currentTaskWorkspace } = contract;
	return [
		"TaskThread workspace context",
		`sessionKey: ${sessionKey}`,
		...(localWorkspace === undefined ? [] : [`local workspace: ${oneLine(localWorkspace)}`]),
		...(remoteWorkspaceHint === undefined ? [] : [`remote workspace hint: ${oneLine(remoteWorkspaceHint)}`]),
		`current task workspace: ${currentTaskWorkspace}`,
		"workspace isolation rules:",
		...isolationRules,
		"final artifact rules:",
		...finalArtifactRules(contract),
		"",
	].join("\n");
}

const isolationRules = [
	"- Work for this TaskThread only; do not read or change the files of other threads, sessions or runs.",
	"- The local workspace is on the user's machine. Do not write to it: XWorkmate copies the final files there.",
	"- Leave files of earlier runs as they are.",
];

/**
 * The requirements for the final files. The folder for the files is not included, because the bridge tells the runtimes of every client
 * where it is.
 */
function finalArtifactRules({ required, requiresExport }: ArtifactContract): string[] {
	const demands = required.map(({ glob, minCount }) => `- Required: at least ${minCount} file(s) matching ${oneLine(glob)}.`);
	return ["- A placeholder is not a final file.", ...(requiresExport ? ["- At least one final file is required."] : []), ...demands];
}

function oneLine(text: string): string {
	if (!/\p{Cc}/u.test(text)) return text;
	throw new AppError(
		"INVALID_INPUT",
		`${JSON.stringify(text)} contains a control character.`,
		"Enter the text as one line, without control characters.",
	);
}
