import type { ErrorCode, RunCode } from "@xworkmate/contracts";

/** What a person may do about an outcome. The shell knows how each is done. */
export type ActionId =
	| "retry"
	| "ask_again"
	| "ask_more_time"
	| "ask_missing"
	| "change_message"
	| "choose_agent"
	| "run_log"
	| "doctor"
	| "open_folder"
	| "open_files"
	| "start_bridge"
	| "test_bridge"
	| "show_queue"
	| "send_as_new"
	| "fetch_again";

export const actionWords: Readonly<Record<ActionId, string>> = {
	retry: "Try again",
	ask_again: "Ask again",
	ask_more_time: "Ask again with more time",
	ask_missing: "Ask for the missing files",
	change_message: "Change the message",
	choose_agent: "Choose another agent",
	run_log: "Run log",
	doctor: "Open doctor",
	open_folder: "Look at the folder",
	open_files: "Open what came out",
	start_bridge: "Start the bridge",
	test_bridge: "Test again",
	show_queue: "Show what waits",
	send_as_new: "Send as a new message",
	fetch_again: "Fetch the files again",
};

/** The look of an outcome; colour is never its only sign. */
export type OutcomeTone = "ok" | "bad" | "miss" | "unk" | "off";

export interface CodeWords {
	readonly tone: OutcomeTone;
	readonly title: string;
	/** May hold {provider}, {message}, {missing}, {budget}, {address}, {count}. */
	readonly meaning: string;
	readonly actions: readonly ActionId[];
}

/** Codes that the app itself gives (CONTRACT, App side). */
export type AppCode =
	| "ACP_HTTP_401"
	| "ACP_HTTP_CONNECT_FAILED"
	| "ACP_HTTP_CONNECTION_CLOSED"
	| "OPENCLAW_GATEWAY_QUEUE_FULL"
	| "OPENCLAW_AGENT_ERROR";

type NamedRunCode = Exclude<RunCode, `OPENCLAW_${string}`> | "OPENCLAW_REQUIRED_ARTIFACT_MISSING";

const failed = (title: string, meaning: string, ...actions: readonly ActionId[]): CodeWords => ({ tone: "bad", title, meaning, actions });
const missing = (title: string, meaning: string, ...actions: readonly ActionId[]): CodeWords => ({ tone: "miss", title, meaning, actions });
const unknown = (title: string, meaning: string, ...actions: readonly ActionId[]): CodeWords => ({ tone: "unk", title, meaning, actions });

/** Every way a run or a submit ends badly, in a person's words. */
export const runWords: Readonly<Record<NamedRunCode | AppCode, CodeWords>> = {
	PROVIDER_ERROR: failed("The agent reported an error", "{provider} stopped with: {message}", "retry", "run_log"),
	PROVIDER_EXITED: failed("The agent quit", "The {provider} program ended in the middle of the task.", "retry", "doctor"),
	PROVIDER_AUTH_REQUIRED: failed(
		"The agent needs a key",
		"{provider} has no key or account to work with: {message}",
		"doctor",
		"choose_agent",
	),
	NO_OUTPUT: failed("Nothing came back", "{provider} ended its turn without an answer or a file.", "ask_again", "run_log"),
	REFUSED: failed(
		"The agent declined",
		"{provider} would not do this; its reason, if it gave one, stands above.",
		"change_message",
		"choose_agent",
	),
	SCRIPT_INVALID: failed("This is no program", "Script runs one TypeScript program: {message}", "change_message", "choose_agent"),
	SCRIPT_ERROR: failed("The program failed", "It stopped with: {message}", "change_message", "run_log"),
	TOOL_FAILED: failed("A tool failed", "The task could not go on: {message}", "retry", "run_log"),
	LIMIT_EXCEEDED: failed("A limit was reached", "The task was ended: {message}", "change_message", "run_log"),
	DISK_FULL: failed("The disk is full", "The bridge has no room to write: {message}", "retry", "doctor"),
	INTERNAL: failed("The bridge failed", "A fault of the bridge, not of the task: {message}", "retry", "doctor"),
	OPENCLAW_AGENT_ERROR: failed("OpenClaw reported an error", "The agent in OpenClaw stopped with: {message}", "retry", "run_log"),
	NO_EXPORTED_ARTIFACTS: missing(
		"No file came out",
		"The task had to deliver files and delivered none; text in an answer does not count as a file.",
		"ask_missing",
		"run_log",
	),
	REQUIRED_ARTIFACT_MISSING: missing(
		"A required file is missing",
		"{missing} did not arrive; what did is kept, but is not final.",
		"ask_missing",
		"open_files",
	),
	OPENCLAW_REQUIRED_ARTIFACT_MISSING: missing(
		"A required file is missing",
		"OpenClaw finished without {missing}; what did arrive is kept, but is not final.",
		"ask_missing",
		"open_files",
	),
	CANCELLED_REMOTELY: {
		tone: "off",
		title: "Cancelled elsewhere",
		meaning: "{provider} says that it was stopped, and not from here.",
		actions: ["ask_again", "run_log"],
	},
	BRIDGE_RESTARTED: unknown(
		"Outcome unknown: the bridge restarted",
		"The task may have finished or not; nothing was sent again.",
		"open_folder",
		"ask_again",
	),
	BRIDGE_STOPPED: unknown(
		"Outcome unknown: the bridge was stopped",
		"The task may have finished or not; nothing was sent again.",
		"open_folder",
		"ask_again",
	),
	DEADLINE_EXCEEDED: unknown(
		"Outcome unknown: time ran out",
		"No ending was seen within {budget}, so the wait was ended.",
		"open_folder",
		"ask_more_time",
	),
	GATEWAY_LOST: unknown(
		"Outcome unknown: OpenClaw went away",
		"The gateway stopped or restarted during the task and cannot say how it ended.",
		"open_folder",
		"doctor",
	),
	POISONED: unknown(
		"Stopped: this message ended the bridge twice",
		"The bridge ended each time it took this message up, so it won't be tried again. Your other runs are not affected.",
		"change_message",
		"choose_agent",
		"run_log",
	),
	ACP_HTTP_401: failed(
		"The bridge did not accept the token",
		"This app and the bridge hold different tokens; your message is kept.",
		"test_bridge",
		"doctor",
	),
	ACP_HTTP_CONNECT_FAILED: failed(
		"The bridge is not running",
		"Nothing answers at {address}; your message is kept.",
		"start_bridge",
		"doctor",
	),
	ACP_HTTP_CONNECTION_CLOSED: unknown(
		"Connection lost, the outcome is not known yet",
		"The bridge has not answered for a while; it is asked again by itself, and nothing is sent twice.",
		"test_bridge",
		"run_log",
	),
	OPENCLAW_GATEWAY_QUEUE_FULL: failed(
		"The OpenClaw queue is full",
		"{count} tasks wait already, so this one was not added; your message is kept.",
		"show_queue",
		"retry",
	),
};

/** Refusals of the bridge before a run existed. */
export const refusalWords: Readonly<Record<ErrorCode, CodeWords>> = {
	PARSE_ERROR: failed("The bridge could not read the message", "App and bridge do not fit together: {message}", "doctor"),
	INVALID_REQUEST: failed("The bridge could not read the message", "App and bridge do not fit together: {message}", "doctor"),
	METHOD_NOT_FOUND: failed("The bridge does not know this", "App and bridge are of different versions: {message}", "doctor"),
	METHOD_NOT_ALLOWED: failed("The bridge does not know this", "App and bridge are of different versions: {message}", "doctor"),
	INVALID_PARAMS: failed("The message was not accepted", "Something in it has the wrong form: {message}", "change_message", "doctor"),
	ROUTING_REQUIRED: failed("No agent was chosen", "Nothing was started; choose who is to do it.", "choose_agent"),
	FORBIDDEN_PATH: failed("This path may not be used", "Nothing was started: {message}", "change_message"),
	SEQ_AHEAD: failed("The run's log is shorter than expected", "The app asked beyond its end: {message}", "doctor"),
	STREAM_REQUIRED: failed("The bridge wanted a stream", "App and bridge do not fit together: {message}", "doctor"),
	INTERNAL: failed("The bridge failed", "A fault of the bridge, not of the task: {message}", "retry", "doctor"),
	UNAUTHENTICATED: failed(
		"The bridge did not accept the token",
		"This app and the bridge hold different tokens; your message is kept.",
		"test_bridge",
		"doctor",
	),
	FORBIDDEN_HOST: failed("The bridge does not serve this address", "Nothing was started: {message}", "doctor"),
	FORBIDDEN_ORIGIN: failed("The bridge does not serve this address", "Nothing was started: {message}", "doctor"),
	NOT_FOUND: failed("It is not there", "The bridge does not have it: {message}", "run_log"),
	SESSION_NOT_FOUND: failed("The conversation is not there", "The bridge does not know this thread any more.", "ask_again", "doctor"),
	PROVIDER_NOT_FOUND: failed("There is no such agent", "{message} Nothing was started.", "choose_agent", "doctor"),
	RUN_EXPIRED: failed(
		"The files were removed",
		"The bridge's limits of age or size removed this run's files; its record stays.",
		"ask_again",
	),
	TURN_CONFLICT: failed(
		"This message was sent before with other words",
		"The earlier version stands; this one was not started.",
		"send_as_new",
	),
	SESSION_CONFLICT: failed("Two threads share a conversation", "Nothing was started: {message}", "doctor"),
	SCOPE_MISMATCH: failed("The files belong to another run", "Nothing was fetched: {message}", "run_log", "doctor"),
	SESSION_CLOSED: failed("The conversation was closed", "Nothing was started; asking again begins a new one.", "ask_again"),
	THREAD_BUSY: failed("The thread is still busy", "A turn is not over yet; wait for its end or stop it.", "retry"),
	FOLDER_NOT_REMOVED: failed("The thread could not be deleted", "Nothing of its record was removed: {message}", "retry"),
	RUN_NOT_TERMINAL: failed("The run is not over", "It has no final files yet.", "run_log"),
	ARTIFACT_CHANGED: failed(
		"A file changed at its source",
		"The bytes no longer match what was recorded; the bridge's disk may be damaged.",
		"run_log",
		"doctor",
	),
	PROVIDER_AMBIGUOUS: failed("Several agents could do this", "None was started; choose one.", "choose_agent"),
	QUEUE_FULL: failed("The queue is full", "Too many messages wait in this thread; yours is kept.", "retry"),
	DISK_FULL: failed("The disk is full", "The bridge has no room to write: {message}", "retry", "doctor"),
	RATE_LIMITED: failed("Too many wrong tokens", "The bridge makes this app wait a minute.", "test_bridge", "doctor"),
	PROVIDER_UNAVAILABLE: failed(
		"{provider} is not available",
		"{message} Nothing was started and no other agent took its place.",
		"retry",
		"choose_agent",
	),
	GATEWAY_UNAVAILABLE: failed(
		"OpenClaw cannot be reached",
		"The gateway did not answer, so nothing was started; your message is kept.",
		"retry",
		"doctor",
	),
	PAYLOAD_TOO_LARGE: failed("The message is too large", "Nothing was sent: {message}", "change_message"),
	UNSUPPORTED_MEDIA_TYPE: failed("The bridge could not read the message", "App and bridge do not fit together: {message}", "doctor"),
	RANGE_NOT_SATISFIABLE: failed("That part of the file is not there", "The file is shorter: {message}", "run_log"),
};

/** For a code of OpenClaw or of the transport that has no words of its own. */
export function wordsOf(code: string): CodeWords {
	if (Object.hasOwn(runWords, code)) return runWords[code as keyof typeof runWords];
	if (Object.hasOwn(refusalWords, code)) return refusalWords[code as keyof typeof refusalWords];
	if (code.startsWith("OPENCLAW_")) return failed("OpenClaw reported an error", "It stopped with: {message}", "retry", "run_log");
	if (code.startsWith("ACP_HTTP_"))
		return unknown("The bridge answered oddly", "It said {message}; the task may be running.", "test_bridge", "doctor");
	return failed("It did not work", "{message}", "retry", "run_log");
}
