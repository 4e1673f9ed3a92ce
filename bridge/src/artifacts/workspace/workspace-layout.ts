import { join } from "node:path";
import type { ArtifactScope, RunId } from "@xworkmate/contracts";

/** The bridge's folder in a working directory; artifacts may not use its name. */
export const BRIDGE_FOLDER = ".xworkmate";

/** `<home>/bridge/workspaces/<session>`: where a session works if the user chose no folder. */
export function bridgeWorkspace(home: string, sessionFolder: string): string {
	return join(home, "bridge", "workspaces", sessionFolder);
}

/** The session's folder in `tasks/<session>/<run>`: what sessionFolder returns, without hashing the thread's id again. */
export function folderOfScope(scope: ArtifactScope): string {
	const [, folder = ""] = scope.split("/");
	return folder;
}

/** `<workingDirectory>/.xworkmate/tasks/<session>/<run>` (docs/protocol.md#turns). */
export function scopeDirectory(workingDirectory: string, scope: ArtifactScope): string {
	return join(workingDirectory, BRIDGE_FOLDER, scope);
}

/** `<workingDirectory>/.xworkmate/tasks/<session>`: every scope of a thread. */
export function sessionScopes(workingDirectory: string, sessionFolder: string): string {
	return join(workingDirectory, BRIDGE_FOLDER, "tasks", sessionFolder);
}

/** `<workingDirectory>/.xworkmate/attachments/<run>`: where an agent finds the user's attachments. */
export function attachmentDirectory(workingDirectory: string, runId: RunId): string {
	return join(workingDirectory, BRIDGE_FOLDER, "attachments", runId);
}

/** `<home>/bridge/inputs/<run>`: a run's attachments from its acceptance to its end. */
export function inputDirectory(home: string, runId: RunId): string {
	return join(inputsDirectory(home), runId);
}

export function inputsDirectory(home: string): string {
	return join(home, "bridge", "inputs");
}
