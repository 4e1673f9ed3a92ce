import type { Snapshot } from "@xworkmate/contracts";
import { formatBytes } from "../format-measure.ts";
import type { Thread, Turn } from "../threads/thread.ts";
import { oneLine, printable } from "./printable.ts";

const endWords: Readonly<Record<string, string>> = {
	completed: "Succeeded",
	failed: "Failed",
	artifact_missing: "A required file is missing",
	cancelled: "Cancelled",
	interrupted: "Interrupted, the outcome is not known",
	refused: "Not sent",
	unresolved: "No answer from the bridge",
};

const fixes: Readonly<Record<string, string>> = {
	PROVIDER_AUTH_REQUIRED: "Log the agent in as its message says, then send again.",
	PROVIDER_EXITED: "Try again; `xworkmate doctor` tests the agent.",
	NO_OUTPUT: "Ask again, or choose another agent.",
	REFUSED: "Change the message, or choose another agent.",
	SCRIPT_INVALID: "Correct the program and send it again.",
	LIMIT_EXCEEDED: "Ask for less at once.",
	DISK_FULL: "Free some space on the bridge's disk, then send again.",
	NO_EXPORTED_ARTIFACTS: "Ask for the files; text does not count as a file.",
	REQUIRED_ARTIFACT_MISSING: "Ask for the missing files, or correct the glob.",
	OPENCLAW_REQUIRED_ARTIFACT_MISSING: "Ask for the missing files, or correct the glob.",
	BRIDGE_RESTARTED: "Look at what is there, then ask again; nothing was sent again by itself.",
	BRIDGE_STOPPED: "Look at what is there, then ask again; nothing was sent again by itself.",
	POISONED: "Change the message or choose another agent, then send it again. `xworkmate logs` shows what the bridge said last.",
	DEADLINE_EXCEEDED: "Look at what is there, then ask again with more time (XWORKMATE_RUN_BUDGET_MS).",
};

/** How a turn ended, in lines for a person: the outcome, its reason, what to do, and the evidence. */
export function describeEnd(turn: Turn, thread: Thread, snapshot: Snapshot | undefined, folder: string): readonly string[] {
	const { code, message } = turn.resultDetail ?? {};
	// A completed turn keeps its code for files that did not come; the files' lines say what to do.
	const fix = turn.resultDetail?.fix ?? (code === undefined || turn.status === "completed" ? undefined : fixes[code]);
	return [
		`${endWords[turn.status] ?? turn.status}${code === undefined ? "" : ` (${oneLine(code)})`}`,
		...(message === undefined ? [] : [`  ${printable(message).replaceAll("\n", "\n  ")}`]),
		...(fix === undefined ? [] : [`  ${printable(fix)}`]),
		...fileLines(turn, snapshot, folder),
		...rejectedLines(snapshot),
		`  thread ${oneLine(thread.threadId, 200)}${turn.runId === undefined ? "" : `, run ${turn.runId}`}`,
	];
}

function rejectedLines(snapshot: Snapshot | undefined): readonly string[] {
	const { rejectedArtifacts = [], rejectedCount = rejectedArtifacts.length } = snapshot ?? {};
	const lines = rejectedArtifacts.map(({ path, reason }) => `  not accepted: ${oneLine(path)} (${reason})`);
	const shown = rejectedArtifacts.length;
	return rejectedCount > shown ? [...lines, `  not accepted: ${rejectedCount} files in all, ${shown} of them are listed`] : lines;
}

function fileLines(turn: Turn, snapshot: Snapshot | undefined, folder: string): readonly string[] {
	const artifacts = snapshot?.artifacts;
	if (turn.syncedPaths.length > 0) {
		const sizes = new Map(artifacts?.items.map((item) => [item.relativePath as string, item.sizeBytes]));
		const listed = turn.syncedPaths.slice(0, 20).map((path) => `    ${oneLine(path, 200)}${sized(sizes.get(path))}`);
		const more = turn.syncedPaths.length > 20 ? [`    and ${turn.syncedPaths.length - 20} more`] : [];
		const partial = turn.syncStatus === "partial" ? ["  Some files are not on this disk yet: xworkmate sync fetches them."] : [];
		return [
			`  ${turn.syncedPaths.length} checked ${turn.syncedPaths.length === 1 ? "file" : "files"} in ${oneLine(folder, 500)}`,
			...listed,
			...more,
			...partial,
		];
	}
	if (artifacts === undefined || artifacts.count === 0) return [];
	return [
		`  ${artifacts.count} ${artifacts.count === 1 ? "file" : "files"} came out and ${artifacts.count === 1 ? "is" : "are"} no final result; nothing was synced`,
	];
}

function sized(bytes: number | undefined): string {
	return bytes === undefined ? "" : `  ${formatBytes(bytes)}`;
}
