import type { ErrorCode, RunCode } from "@xworkmate/contracts";
import { agentRefusals } from "./agents/agent-refusals.ts";
import { editRefusals } from "./files/edit-refusals.ts";
import { planRefusals } from "./plans/plan-refusals.ts";

/** What the user may do about an outcome. The page implements each action. */
export type ActionId =
	| "retry"
	| "ask_again"
	| "ask_more_time"
	| "ask_missing"
	| "change_message"
	| "choose_agent"
	| "run_log"
	| "doctor"
	| "open_files"
	| "start_bridge"
	| "test_bridge"
	| "show_queue"
	| "send_as_new"
	| "fetch_again"
	| "tools"
	| "receipts"
	| "accounts"
	| "open_plan";

export const actionWords: Readonly<Record<ActionId, string>> = {
	retry: "Retry",
	ask_again: "Edit and resend",
	ask_more_time: "Edit and resend",
	ask_missing: "Request missing files",
	change_message: "Edit message",
	choose_agent: "Choose another agent",
	run_log: "Run log",
	doctor: "Open diagnostics",
	open_files: "Show files",
	start_bridge: "Start bridge",
	test_bridge: "Test connection",
	show_queue: "Show queue",
	send_as_new: "Send as new message",
	fetch_again: "Retry download",
	tools: "Open Tools",
	receipts: "All receipts",
	accounts: "Open Accounts",
	open_plan: "Open the plan",
};

/** The look of an outcome. Color is never its only sign. `mixed`: the run succeeded, but not everything that was asked for was done. */
export type OutcomeTone = "ok" | "bad" | "miss" | "unk" | "off" | "mixed";

export interface CodeWords {
	readonly tone: OutcomeTone;
	readonly title: string;
	/** May contain {provider}, {reason}, {message}, {missing}, {asking}. */
	readonly meaning: string;
	readonly actions: readonly ActionId[];
}

/** Codes that the app itself assigns (docs/protocol.md#the-app), and the bridge's own codes for OpenClaw. */
export type AppCode =
	| "ACP_HTTP_401"
	| "ACP_HTTP_CONNECT_FAILED"
	| "ACP_HTTP_CONNECTION_CLOSED"
	| "OPENCLAW_GATEWAY_QUEUE_FULL"
	| "OPENCLAW_AGENT_ERROR"
	| "OPENCLAW_NOT_CONFIGURED";

type NamedRunCode = Exclude<RunCode, `OPENCLAW_${string}`> | "OPENCLAW_REQUIRED_ARTIFACT_MISSING";

const failed = (title: string, meaning: string, ...actions: readonly ActionId[]): CodeWords => ({ tone: "bad", title, meaning, actions });
const missing = (title: string, meaning: string, ...actions: readonly ActionId[]): CodeWords => ({ tone: "miss", title, meaning, actions });
const unknown = (title: string, meaning: string, ...actions: readonly ActionId[]): CodeWords => ({ tone: "unk", title, meaning, actions });

/** Every way a run or a submit can fail, in the user's words, which stay on the page: facts that may change later are in the past tense. */
export const runWords: Readonly<Record<NamedRunCode | AppCode, CodeWords>> = {
	PROVIDER_ERROR: failed("The agent failed", "{message}", "retry", "run_log"),
	PROVIDER_EXITED: failed("{provider} ended unexpectedly", "{message}", "retry", "doctor", "run_log"),
	PROVIDER_AUTH_REQUIRED: failed("The agent wasn’t signed in", "{message}", "retry", "choose_agent"),
	PROVIDER_LIMITED: failed("No account could be used for this message", "{message}", "accounts", "retry", "choose_agent"),
	PROVIDER_NOT_FOUND: failed("Agent not found", "{message} Nothing was started.", "choose_agent", "doctor"),
	NO_OUTPUT: failed("No response", "{provider} ended without an answer and delivered no files.", "ask_again", "run_log"),
	REFUSED: failed("The agent declined", "{provider} declined to do this. {reason}", "change_message", "choose_agent"),
	SCRIPT_INVALID: failed("Nothing was run", "{message}", "change_message", "choose_agent"),
	SCRIPT_ERROR: failed("The program failed", "{message}", "change_message", "run_log"),
	TOOL_FAILED: failed("A tool failed", "The run couldn’t continue: {message}", "retry", "run_log"),
	RESUME_MISMATCH: failed(
		"Stopped: the program no longer matches its record",
		"When run again, the program didn’t do what it had done before, so nothing more was run: {message}",
		"ask_again",
		"receipts",
	),
	LIMIT_EXCEEDED: failed("Limit reached", "{message}", "change_message", "run_log"),
	DISK_FULL: failed("The disk was full", "The bridge couldn’t write: {message}", "retry", "doctor"),
	INTERNAL: failed("The bridge failed", "Something went wrong in the bridge, not in your message: {message}", "retry", "doctor"),
	OPENCLAW_AGENT_ERROR: failed("OpenClaw reported an error", "The agent in OpenClaw reported: {message}", "retry", "run_log"),
	OPENCLAW_NOT_CONFIGURED: failed("Not sent: OpenClaw wasn’t set up", "{message}", "retry", "doctor"),
	NO_EXPORTED_ARTIFACTS: missing(
		"No files delivered",
		"The run had to deliver files but delivered none. Text in the answer doesn’t count as a file.",
		"ask_missing",
		"run_log",
	),
	REQUIRED_ARTIFACT_MISSING: missing("A required file is missing", "Missing: {missing}.", "ask_missing", "open_files"),
	OPENCLAW_REQUIRED_ARTIFACT_MISSING: missing(
		"A required file is missing",
		"OpenClaw finished without {missing}.",
		"ask_missing",
		"open_files",
	),
	CANCELLED_REMOTELY: {
		tone: "off",
		title: "Cancelled outside XWorkmate",
		meaning: "{provider} reports that this run was cancelled. XWorkmate didn’t cancel it.",
		actions: ["ask_again", "run_log"],
	},
	CANCEL_INCOMPLETE: {
		tone: "bad",
		title: "Cancelled, but something may still be running",
		meaning: "{message}",
		actions: ["run_log"],
	},
	BRIDGE_RESTARTED: unknown(
		"Outcome unknown: the bridge restarted",
		"XWorkmate can’t tell whether the run finished. {resent}",
		"open_files",
		"ask_again",
	),
	BRIDGE_STOPPED: unknown(
		"Outcome unknown: the bridge was stopped",
		"XWorkmate can’t tell whether the run finished. {resent}",
		"open_files",
		"ask_again",
	),
	DEADLINE_EXCEEDED: unknown("Timed out", "The run may still have finished. {resent}", "open_files", "ask_more_time"),
	GATEWAY_LOST: unknown(
		"Outcome unknown: not everything arrived from OpenClaw",
		"{message} The run may have finished. {resent}",
		"open_files",
		"doctor",
	),
	STORE_RESTORED: unknown(
		"Outcome unknown: a backup was restored",
		"The run was in progress or queued when the backup was made, and may have continued since then. {resent}",
		"open_files",
		"ask_again",
	),
	POISONED: unknown(
		"Stopped: the bridge went down repeatedly during this run",
		"The bridge went down repeatedly while starting or finishing this run, so the run won’t be retried. Queued runs aren’t affected.",
		"change_message",
		"choose_agent",
		"run_log",
	),
	ACP_HTTP_401: failed(
		"The bridge rejected the token",
		"The app and the bridge used different tokens. Your message is kept.",
		"test_bridge",
		"doctor",
	),
	ACP_HTTP_CONNECT_FAILED: failed(
		"The bridge couldn’t be reached",
		"The app couldn’t connect to the bridge. Your message is kept.",
		"start_bridge",
		"retry",
		"doctor",
	),
	ACP_HTTP_CONNECTION_CLOSED: unknown(
		"Connection lost, outcome unknown so far",
		"The bridge hasn’t responded for a while. The app keeps asking, and nothing is sent twice.",
		"test_bridge",
		"run_log",
	),
	OPENCLAW_GATEWAY_QUEUE_FULL: failed("The OpenClaw queue was full", "Your message wasn’t queued, but it is kept.", "show_queue", "retry"),
};

/** Errors with which the bridge refuses a message, or any other request. */
export const refusalWords: Readonly<Record<ErrorCode, CodeWords>> = {
	PARSE_ERROR: failed("The bridge couldn’t read the message", "App and bridge versions don’t match: {message}", "doctor"),
	INVALID_REQUEST: failed("The bridge couldn’t read the message", "App and bridge versions don’t match: {message}", "doctor"),
	METHOD_NOT_FOUND: failed("The bridge doesn’t know this request", "App and bridge versions don’t match: {message}", "doctor"),
	METHOD_NOT_ALLOWED: failed("The bridge doesn’t know this request", "App and bridge versions don’t match: {message}", "doctor"),
	INVALID_PARAMS: failed("The message was rejected", "Part of the message isn’t valid: {message}", "change_message", "doctor"),
	WORKING_DIRECTORY_REFUSED: failed("The project folder can’t be used", "Nothing was started: {message}", "change_message"),
	CREDENTIAL_INVALID: failed("This credential can’t be used", "Nothing was stored: {message}", "accounts"),
	CREDENTIAL_KNOWN: failed("This credential is already stored", "{message}", "accounts"),
	ACCOUNT_EXISTS: failed("This name is taken", "Nothing was stored: {message}", "accounts"),
	ACCOUNTS_DAMAGED: failed("The accounts file can’t be used", "Nothing was changed: {message}", "accounts"),
	...planRefusals,
	ROUTING_REQUIRED: failed("No agent was chosen", "Nothing was started. Choose an agent for this message.", "choose_agent"),
	FORBIDDEN_PATH: failed("This path isn’t allowed", "Nothing was started: {message}", "change_message"),
	SEQ_AHEAD: failed("A log is shorter than expected", "The app asked for entries beyond the log’s end: {message}", "doctor"),
	STREAM_REQUIRED: failed("The bridge expected a stream", "App and bridge versions don’t match: {message}", "doctor"),
	INTERNAL: failed("The bridge failed", "Something went wrong in the bridge, not in your message: {message}", "retry", "doctor"),
	UNAUTHENTICATED: runWords.ACP_HTTP_401,
	FORBIDDEN_HOST: failed("The bridge doesn’t serve this address", "Nothing was started: {message}", "doctor"),
	FORBIDDEN_ORIGIN: failed("The bridge doesn’t serve this address", "Nothing was started: {message}", "doctor"),
	NOT_FOUND: failed("Not found", "The bridge doesn’t have what was asked for: {message}", "run_log"),
	SESSION_NOT_FOUND: failed("Conversation not found", "The bridge no longer knows this thread.", "ask_again", "doctor"),
	PROVIDER_NOT_FOUND: runWords.PROVIDER_NOT_FOUND,
	RUN_EXPIRED: failed(
		"The files were removed",
		"The bridge removed this run’s files because of its age or size limit. The run’s record is kept.",
		"ask_again",
	),
	TURN_CONFLICT: failed(
		"This message was already sent with different content",
		"The earlier version was kept. No run was started for this one.",
		"send_as_new",
	),
	SESSION_CONFLICT: failed("Thread and conversation don’t match", "Nothing was started: {message}", "doctor"),
	SCOPE_MISMATCH: failed("The files belong to another run", "Nothing was downloaded: {message}", "run_log", "doctor"),
	SESSION_CLOSED: failed("The conversation was closed", "Nothing was started. Sending the message again starts a new run.", "ask_again"),
	THREAD_BUSY: failed("The thread was still busy", "{message} Nothing was started.", "retry"),
	FOLDER_NOT_REMOVED: failed("The thread couldn’t be deleted", "{message} The thread’s messages and runs are kept.", "retry"),
	RUN_NOT_TERMINAL: failed("The run hasn’t finished", "It has no final files yet.", "run_log"),
	ARTIFACT_CHANGED: failed(
		"A stored file has changed",
		"Its content no longer matches what was recorded. The bridge’s disk may be damaged.",
		"run_log",
		"doctor",
	),
	TOOL_NOT_FOUND: failed("Tool not found", "{message}", "tools"),
	...agentRefusals,
	...editRefusals,
	TOOL_CHANGED: failed("The tool changed", "The code has changed since you reviewed it, so it was not accepted.", "tools"),
	PROVIDER_AMBIGUOUS: failed("Several agents could do this", "No agent was started. Choose one.", "choose_agent"),
	QUEUE_FULL: failed("The queue was full", "{message} Your message is kept.", "retry"),
	DISK_FULL: failed("The disk was full", "The bridge couldn’t write: {message}", "retry", "doctor"),
	DATABASE_DAMAGED: failed("The bridge’s database is damaged", "{message}", "doctor"),
	RATE_LIMITED: failed(
		"Too many failed attempts",
		"The token was wrong each time. The right one is always accepted.",
		"test_bridge",
		"doctor",
	),
	PROVIDER_UNAVAILABLE: failed(
		"{provider} was not available",
		"{message} Nothing was started, and no other agent took over.",
		"retry",
		"choose_agent",
	),
	GATEWAY_UNAVAILABLE: failed("OpenClaw couldn’t take this message", "{message} Nothing was started.", "retry", "doctor"),
	BRIDGE_STARTING: failed("The bridge was starting", "It didn’t know the state of its earlier runs yet.", "retry", "doctor"),
	PAYLOAD_TOO_LARGE: failed("The message is too large", "Nothing was sent: {message}", "change_message"),
	UNSUPPORTED_MEDIA_TYPE: failed("The bridge couldn’t read the message", "App and bridge versions don’t match: {message}", "doctor"),
	RANGE_NOT_SATISFIABLE: failed("That part of the file doesn’t exist", "{message}", "run_log"),
};

/**
 * The words for a turn that the bridge may have run, and whose outcome the app could not learn. The code only says why the app's last query
 * for the outcome failed, so it is never presented as the run's own failure, and no action is offered that would send the message again.
 */
export function unresolvedWords(code: string, { runId }: { readonly runId?: string }): CodeWords {
	if (code === "STORE_RESTORED") return { ...runWords.STORE_RESTORED, actions: ["run_log", "doctor"] };
	if (code === "NOT_FOUND") {
		const never = "It may never have arrived, or this is another bridge, or its data was replaced.";
		return unknown(
			`Outcome unknown: the bridge doesn’t ${runId === undefined ? "know this message" : "have this run"}`,
			`${runId === undefined ? never : "This may be a different bridge, or its data may have been replaced."} Nothing was resent automatically. {asking}`,
			"run_log",
			"doctor",
		);
	}
	const isRefused = code === "UNAUTHENTICATED" || code === "ACP_HTTP_401";
	const isUnreached = code === "ACP_HTTP_CONNECT_FAILED" || code === "BRIDGE_NOT_RUNNING";
	return unknown(
		isRefused ? "Outcome unknown: the bridge rejected the token" : "Outcome unknown: lost contact with the bridge",
		"{message} XWorkmate can’t tell whether the run finished. Nothing was resent automatically. {asking}",
		...(isUnreached ? (["start_bridge"] as const) : []),
		"test_bridge",
		"run_log",
	);
}

/** The id of the bridge's own agent. */
export const ASSISTANT = "assistant";

/** The run's deadline was moved up because it was asked to stop, so it did not need more time. */
const stopUnconfirmed = unknown(
	"Outcome unknown: the stop wasn’t confirmed",
	"The run may still have finished, or may still be running. {resent}",
	"open_files",
	"ask_again",
);

/** The words for the end of a run. The assistant differs: users don't sign in to it, because it uses the accounts of its bridge. */
export function endWordsOf(code: string, providerId: string | undefined, stopAskedAt: string | undefined): CodeWords {
	if (code === "DEADLINE_EXCEEDED" && stopAskedAt !== undefined) return stopUnconfirmed;
	if (code !== "PROVIDER_AUTH_REQUIRED" || providerId !== ASSISTANT) return wordsOf(code);
	return failed("No account could be used for this message", "{message}", "accounts", "retry", "choose_agent");
}

/** The words for a code. Codes of OpenClaw or the transport without their own words get general ones. */
export function wordsOf(code: string): CodeWords {
	if (Object.hasOwn(runWords, code)) return runWords[code as keyof typeof runWords];
	if (Object.hasOwn(refusalWords, code)) return refusalWords[code as keyof typeof refusalWords];
	if (code.startsWith("OPENCLAW_")) return failed("OpenClaw reported an error", "{message}", "retry", "run_log");
	if (code.startsWith("ACP_HTTP_"))
		return unknown("Unexpected reply from the bridge", "{message} The run may still be in progress.", "test_bridge", "doctor");
	return failed("Something went wrong", "{message}", "retry", "run_log");
}
