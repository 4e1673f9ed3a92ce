import type {
	ArtifactSyncStatus,
	Contradiction,
	Lacking,
	ProgressStage,
	RejectionReason,
	ToolCallState,
	ToolKind,
	Unpermitted,
} from "@xworkmate/contracts";
import type { FileState } from "../../api/ui-api.ts";
import { turnWords } from "./turn-words.ts";

/** The states of a thread or a turn, as shown in a chip. Each state has its own word, but some share an icon. */
export type ShownState =
	| "needs_you"
	| "sending"
	| "running"
	| "queued"
	| "syncing"
	| "succeeded"
	| "not_saved"
	| "not_all_done"
	| "outcome_unknown"
	| "not_verified"
	| "permission_in_doubt"
	| "files_rejected"
	| "failed"
	| "file_missing"
	| "cancelled"
	| "interrupted"
	| "no_connection"
	| "not_sent"
	| "new";

export const stateWords: Readonly<Record<ShownState, string>> = {
	needs_you: "Needs you",
	sending: turnWords.sending,
	running: turnWords.running,
	queued: turnWords.queued,
	syncing: turnWords.syncing,
	succeeded: turnWords.completed,
	not_saved: turnWords.not_saved,
	not_all_done: "Not all done",
	outcome_unknown: "Outcome unknown",
	not_verified: "Not verified",
	/** For a success whose agent acted without permission, by its own report or, less certainly, by the files. */
	permission_in_doubt: "Permission in doubt",
	files_rejected: "Files rejected",
	failed: turnWords.failed,
	file_missing: turnWords.artifact_missing,
	cancelled: turnWords.cancelled,
	interrupted: turnWords.interrupted,
	no_connection: turnWords.unresolved,
	not_sent: turnWords.refused,
	new: turnWords.new,
};

/** The state shown for a run that succeeded although something is missing. */
export const lackingStates: Readonly<Record<Lacking, ShownState>> = {
	undone: "not_all_done",
	unknown: "outcome_unknown",
	unverified: "not_verified",
	rejected: "files_rejected",
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
	checked: { word: "Checked", meaning: "Verified: identical to what the run delivered" },
	edited: { word: "Edited", meaning: "Changed since it was delivered" },
	kept: { word: "Earlier version", meaning: "Replaced by a later run or an edit; this version is kept in .versions" },
	replaced: { word: "Replaced", meaning: "The folder has another version of this file" },
	missing: { word: "Missing from folder", meaning: "The run delivered this file, but it isn’t in the folder" },
	unsaved: {
		word: "Not saved",
		meaning: "Its run didn’t succeed, so it wasn’t saved in the folder; the bridge keeps a copy for a limited time",
	},
	saving: { word: "Saving", meaning: "Being saved in the folder" },
	unlisted: { word: "Not verified", meaning: "Its run delivered more than 200 files, so there is no checksum for this one" },
	blocked: { word: "Blocked", meaning: "A folder, link or special file is in this file’s place, so the file isn’t opened" },
};

export const rejectionWords: Readonly<Record<RejectionReason, string>> = {
	symlink: "symbolic link",
	hard_link: "hard link",
	special_file: "not a regular file",
	mount: "mount point",
	unsafe_name: "unsafe file name",
	reserved_name: "name reserved for XWorkmate",
	name_collision: "name clashes with another file",
	placeholder: "placeholder or system file",
	empty_required: "required, but empty",
	unattributed: "might not be from this run",
	changed_while_reading: "changed while it was being read",
	too_large: "too large",
	too_many: "too many files",
	write_refused: "couldn’t be written",
};

/** The verbs for a kind of tool: while it runs, once it has ended, and in a request for approval. */
export const toolWords: Readonly<Record<ToolKind, { readonly now: string; readonly done: string; readonly ask: string }>> = {
	read: { now: "Reading", done: "Read", ask: "read a file" },
	edit: { now: "Editing", done: "Edited", ask: "change a file" },
	delete: { now: "Deleting", done: "Deleted", ask: "delete a file" },
	move: { now: "Moving", done: "Moved", ask: "move a file" },
	search: { now: "Searching", done: "Searched", ask: "search" },
	execute: { now: "Running", done: "Ran", ask: "run a command" },
	think: { now: "Thinking", done: "Thought", ask: "think" },
	fetch: { now: "Fetching", done: "Fetched", ask: "access the network" },
	switch_mode: { now: "Switching mode", done: "Switched mode", ask: "switch modes" },
	other: { now: "Using a tool", done: "Used a tool", ask: "use a tool" },
};

/** The verb for something that the agent reports and that cannot be checked. */
export const reportedWords: Readonly<Partial<Record<ToolKind, string>>> = {
	read: "Reportedly read",
	search: "Reportedly searched",
	edit: "Reportedly edited",
	delete: "Reportedly deleted",
	move: "Reportedly moved",
	execute: "Reportedly ran",
	fetch: "Reportedly fetched",
	other: "Reportedly used a tool",
};

/** Used in a line on the terminal, after the call. */
export const reportedDoneWord = "reported as done";

/** The verb for a tool that waits for permission. */
export const wantsWords: Readonly<Record<ToolKind, string>> = {
	read: "Wants to read",
	edit: "Wants to edit",
	delete: "Wants to delete",
	move: "Wants to move",
	search: "Wants to search",
	execute: "Wants to run",
	think: "Wants to think",
	fetch: "Wants to fetch",
	switch_mode: "Wants to switch modes",
	other: "Wants to use a tool",
};

/** For a call that an agent announced without requesting approval. Not every agent reports that a call has started. */
export const announcedWords = { word: "Announced:", state: "not reported as started, no approval requested" } as const;

/** The verbs for a typed tool: while it runs, once it has ended, and in a request for approval. */
export const typedWords = { now: "Calling", done: "Called", ask: "Wants to call" } as const;

/** Put before a tool's title when the call was not carried out, or when that is unknown. */
export const undoneWords = {
	/** For a typed call, which the bridge itself holds back. */
	denied: "Blocked:",
	notAllowed: "Not allowed:",
	stopped: "Stopped:",
	unknown: "Unknown:",
	/** For an agent's own call: the bridge can deny it, but can't stop the agent. */
	saidDenied: "Denied:",
} as const;

/** Put before the title of an edit, a deletion or a move that an agent reported and that the files contradict. */
export const claimedWords: Readonly<Partial<Record<ToolKind, string>>> = {
	edit: "Says it edited:",
	delete: "Says it deleted:",
	move: "Says it moved:",
};

/** What the files showed when the bridge looked, if they contradict a reported call. The files may have changed since. */
export const contradictedWords: Readonly<Record<Contradiction, string>> = {
	not_found: "but the file wasn’t there",
	untouched: "but the file hadn’t changed",
	not_held: "but the file didn’t contain the reported text",
	still_there: "but the file was still there",
};

/** Shown beside a call made without permission, according to its agent's report or, for `found`, the file. */
export const unpermittedWords: Readonly<Record<Unpermitted, string>> = {
	denied: "but the agent reports doing it anyway",
	unanswered: "without your answer",
	another: "but not as allowed",
	found: "but the file has changed since",
};

export const toolStateWords: Readonly<Record<ToolCallState, string>> = {
	pending: "waiting",
	running: "running",
	completed: "done",
	failed: "failed",
	denied: "denied",
};

/** Shown beside a call that the user allowed, until its agent reports more. */
export const allowedWord = "allowed";

/** Shown beside a call that was denied, if its agent reports doing it under another name. */
export const renamedWord = "but the agent reports doing it anyway and calls it “{now}”";

/** Shown beside a call that its agent has changed since it asked. */
export const changedWord = "{state}, but the agent has changed this call since it asked";

/** Used instead of `changedWord` if the agent has given the call another name. */
export const changedToWord = "{state}, but the agent has changed this call since it asked, to “{now}”";

/** Shown beside a call whose request ended without an answer that allows it. */
export const unansweredWord = "no answer";

/** Shown beside a call without a result: its outcome is unknown, or the call was open when its run ended. */
export const noResultWord = "no result";

/** `partial`: the download has ended. The app may try again later, but nothing is being downloaded. */
export const syncWords: Readonly<Record<ArtifactSyncStatus, string>> = {
	queued: "Waiting",
	running: "Still running",
	syncing: "Saving…",
	synced: "All saved",
	partial: "Some files are not in the folder",
	failed: "No files",
	"no-artifacts": "No files",
	"no-exported-artifacts": "No files",
};

const unavailable: Readonly<Record<string, string>> = {
	PROVIDER_NOT_INSTALLED: "Not installed",
	PROVIDER_MISCONFIGURED: "Misconfigured",
	PROVIDER_AUTH_REQUIRED: "Sign-in needed",
	PROVIDER_SILENT: "Not responding",
	TEST_STOPPED: "Test stopped",
	PROVIDER_EXITED: "Exits immediately",
	PROVIDER_ERROR: "Doesn’t work",
	AVAILABILITY_UNKNOWN: "Unknown",
	GATEWAY_NOT_CONFIGURED: "Not set up",
	GATEWAY_CONNECTING: "Connecting",
	GATEWAY_STARTING: "Starting",
	GATEWAY_UNREACHABLE: "Unreachable",
	GATEWAY_DISCONNECTED: "Not connected",
	GATEWAY_TOKEN_WRONG: "Wrong token",
	GATEWAY_TOKEN_MISSING: "No token set",
	GATEWAY_PASSWORD_NEEDED: "Uses a password",
	GATEWAY_LOCKED_OUT: "Locked out for now",
	GATEWAY_KEY_UNUSABLE: "Device key unusable",
	GATEWAY_PAIRING_NEEDED: "Approve pairing in OpenClaw",
	GATEWAY_SCOPE_MISSING: "Missing permissions",
	GATEWAY_NOT_TLS: "No TLS on this port",
	GATEWAY_VERSION_TOO_OLD: "OpenClaw is too old",
	GATEWAY_VERSION_UNTESTED: "Untested OpenClaw version",
	GATEWAY_PLUGIN_MISSING: "Plugin missing",
	GATEWAY_PLUGIN_DISABLED: "Plugin turned off",
	GATEWAY_PLUGIN_UNUSABLE: "Plugin doesn’t work",
	GATEWAY_PLUGIN_VERSION: "Incompatible plugin version",
	GATEWAY_REFUSED: "Connection refused",
	GATEWAY_PROTOCOL: "Incompatible gateway",
};

/** Why an agent cannot run, in a few words; an unknown code is returned unchanged. */
export function unavailableWord(code: string | undefined): string {
	if (code === undefined) return "Unknown";
	return Object.hasOwn(unavailable, code) ? (unavailable[code] ?? code) : code;
}

const logWords: Readonly<Record<string, string>> = {
	written: "Saved locally",
	accepted: "Accepted",
	status: "Status",
	message_delta: "Message",
	thought_delta: "Thought",
	tool_call: "Tool",
	plan: "Plan",
	approval: "Request",
	artifacts: "Files",
	usage: "Usage",
	notice: "Notice",
	receipt: "Receipt",
	cancel_requested: "Stop requested",
	ended: "Run ended",
	unsent: "Not sent",
	cancelled: "Cancelled",
	...{ unknown: "Outcome unknown", interrupted: "Outcome unknown" },
	synced: "Files saved",
	partly_synced: "Some files saved",
	unsynced: "Files not saved",
	unresolved: "No response",
};

/** The word for a line of the run log; an unknown name is left unchanged. */
export function logWord(what: string): string {
	return Object.hasOwn(logWords, what) ? (logWords[what] ?? what) : what;
}
