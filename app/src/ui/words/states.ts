import type { ArtifactSyncStatus, ProgressStage, RejectionReason, ToolCallState, ToolKind } from "@xworkmate/contracts";
import type { FileState, Hop } from "../../core/ui-api.ts";

/** What a thread or a turn is, for a chip: closed, and told apart by icon and word. */
export type ShownState =
	| "needs_you"
	| "sending"
	| "running"
	| "queued"
	| "syncing"
	| "succeeded"
	| "failed"
	| "file_missing"
	| "cancelled"
	| "interrupted"
	| "no_connection"
	| "not_sent"
	| "new";

export const stateWords: Readonly<Record<ShownState, string>> = {
	needs_you: "Needs you",
	sending: "Sending",
	running: "Running",
	queued: "Queued",
	syncing: "Saving files",
	succeeded: "Succeeded",
	failed: "Failed",
	file_missing: "File missing",
	cancelled: "Cancelled",
	interrupted: "Interrupted",
	no_connection: "Not known yet",
	not_sent: "Not sent",
	new: "New",
};

export const stageWords: Readonly<Record<ProgressStage, string>> = {
	queued: "Queued",
	starting: "Starting",
	working: "Working",
	waiting_approval: "Waiting for you",
	collecting: "Collecting files",
	exporting: "Checking files",
	sealing: "Checking files",
	stopping: "Stopping",
};

export const fileWords: Readonly<Record<FileState, { readonly word: string; readonly meaning: string }>> = {
	checked: { word: "Checked", meaning: "The bytes here match the SHA-256 in the run's manifest" },
	edited: { word: "Edited by you", meaning: "Other bytes stand here now than the run delivered" },
	kept: { word: "Earlier version kept", meaning: "Replaced by a later run or an edit, and kept under .versions" },
	missing: { word: "Not on this disk", meaning: "The run delivered it, and it is not in the folder" },
	unlisted: { word: "Not checked", meaning: "The app holds no hash for it: its run delivered more than 200 files" },
	blocked: { word: "Not opened", meaning: "A link or something else that is no plain file stands there" },
};

export const rejectionWords: Readonly<Record<RejectionReason, string>> = {
	symlink: "symbolic link",
	hard_link: "hard link",
	special_file: "not a regular file",
	mount: "mount point that the run did not make",
	unsafe_name: "unsafe file name",
	reserved_name: "name reserved for XWorkmate",
	name_collision: "name clashes with another file",
	placeholder: "placeholder file",
	empty_required: "required, but empty",
	unattributed: "may not come from this run",
	changed_while_reading: "changed while it was read",
	too_large: "too large",
	too_many: "too many files",
	write_refused: "couldn't be written",
};

/** What a tool of a kind does, while it runs and once it is over. */
export const toolWords: Readonly<Record<ToolKind, { readonly now: string; readonly done: string; readonly ask: string }>> = {
	read: { now: "Reading", done: "Read", ask: "read something" },
	edit: { now: "Editing", done: "Edited", ask: "change a file" },
	delete: { now: "Deleting", done: "Deleted", ask: "delete something" },
	move: { now: "Moving", done: "Moved", ask: "move something" },
	search: { now: "Searching", done: "Searched", ask: "search" },
	execute: { now: "Running", done: "Ran", ask: "run a command" },
	think: { now: "Thinking", done: "Thought", ask: "think" },
	fetch: { now: "Fetching", done: "Fetched", ask: "fetch from the network" },
	switch_mode: { now: "Switching mode", done: "Switched mode", ask: "switch its mode" },
	other: { now: "Using a tool", done: "Used a tool", ask: "use a tool" },
};

export const toolStateWords: Readonly<Record<ToolCallState, string>> = {
	pending: "waits",
	running: "running",
	completed: "done",
	failed: "failed",
	denied: "denied",
};

export const syncWords: Readonly<Record<ArtifactSyncStatus, string>> = {
	queued: "waits",
	running: "the run is not over",
	syncing: "being saved",
	synced: "all saved",
	partial: "some are not here yet",
	failed: "nothing to save",
	"no-artifacts": "no files",
	"no-exported-artifacts": "no file came out",
};

export const hopWords: Readonly<Record<Hop, string>> = {
	app: "App",
	bridge: "Bridge",
	agent: "Agent",
	openclaw: "OpenClaw",
	plugin: "Plugin",
	sync: "Sync",
};

const unavailable: Readonly<Record<string, string>> = {
	PROVIDER_NOT_INSTALLED: "Not installed",
	PROVIDER_MISCONFIGURED: "Not set up right",
	PROVIDER_AUTH_REQUIRED: "Needs a key",
	PROVIDER_SILENT: "Does not answer",
	PROVIDER_EXITED: "Quits at once",
	PROVIDER_ERROR: "Does not start",
	AVAILABILITY_UNKNOWN: "Not known",
	GATEWAY_NOT_CONFIGURED: "Not set up",
	GATEWAY_CONNECTING: "Connecting",
	GATEWAY_STARTING: "Starting",
	GATEWAY_UNREACHABLE: "Not running",
	GATEWAY_DISCONNECTED: "Not running",
	GATEWAY_TOKEN_WRONG: "Wrong token",
	GATEWAY_PAIRING_NEEDED: "Needs your approval there",
	GATEWAY_SCOPE_MISSING: "May not do enough",
	GATEWAY_PLUGIN_MISSING: "Plugin missing",
	GATEWAY_PLUGIN_UNUSABLE: "Plugin does not work",
	GATEWAY_PLUGIN_VERSION: "Plugin of another version",
	GATEWAY_REFUSED: "Refuses",
	GATEWAY_PROTOCOL: "Of another version",
};

/** Why an agent cannot run, in two words; the bridge's own sentence stands beside it. */
export function unavailableWord(code: string | undefined): string {
	if (code === undefined) return "Not known";
	return Object.hasOwn(unavailable, code) ? (unavailable[code] ?? code) : code;
}

const logWords: Readonly<Record<string, string>> = {
	written: "Message saved",
	accepted: "Accepted",
	status: "State",
	message_delta: "Said",
	thought_delta: "Thought",
	tool_call: "Tool",
	plan: "Plan",
	approval: "Request",
	artifacts: "Files",
	usage: "Usage",
	notice: "Notice",
	cancel_requested: "Asked to stop",
	ended: "Ended",
	synced: "Files saved",
	unresolved: "No answer",
};

/** A line of the run log; a word that is not known stands as it is. */
export function logWord(what: string): string {
	return Object.hasOwn(logWords, what) ? (logWords[what] ?? what) : what;
}
