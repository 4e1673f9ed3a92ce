import { z } from "zod";
import { agentErrors } from "./agent-errors.ts";
import { restoreDatabase } from "./damaged-database.ts";
import { editErrors } from "./edit-errors.ts";
import type { ErrorDefinition } from "./error-definition.ts";
import { planErrors } from "./plan-errors.ts";

/** Every wire error, its number, whether a retry makes sense, and the fix (docs/protocol.md#errors). */
export const errorCatalogue = {
	PARSE_ERROR: { number: -32700, retryable: false, meaning: "The body is not JSON.", fix: "Send a JSON-RPC 2.0 request." },
	INVALID_REQUEST: {
		number: -32600,
		retryable: false,
		meaning: "The request is not a JSON-RPC 2.0 request that this endpoint accepts.",
		fix: 'Send {"jsonrpc":"2.0","id":...,"method":...,"params":{...}}, nested at most 64 levels deep, with at most 50,000 object entries and array elements in total.',
	},
	METHOD_NOT_FOUND: {
		number: -32601,
		retryable: false,
		meaning: "This method does not exist.",
		fix: "GET /openrpc.json lists the methods.",
	},
	INVALID_PARAMS: {
		number: -32602,
		retryable: false,
		meaning: "A parameter is missing, unknown or invalid.",
		fix: "Correct the parameter that the message names. docs/protocol.md describes it.",
	},
	WORKING_DIRECTORY_REFUSED: {
		number: -32602,
		retryable: false,
		meaning: "The run can't work in the requested folder.",
		fix: "Choose a project folder or a folder inside one. To use another folder, add it or its parent under Settings > Project folders (allowedRoots). If the environment sets allowedRoots, change it there and restart the bridge.",
	},
	ROUTING_REQUIRED: {
		number: -32602,
		retryable: false,
		meaning: "The request does not say where to run the turn.",
		fix: 'Send routing: {"executionTarget":"agent"} or {"executionTarget":"gateway"}.',
	},
	CREDENTIAL_INVALID: {
		number: -32602,
		retryable: false,
		meaning: "This credential can't be used.",
		fix: "Copy the whole credential again, and paste it once.",
	},
	CREDENTIAL_KNOWN: {
		number: -32009,
		retryable: false,
		meaning: "This credential is already stored.",
		fix: "Use the account that the message names.",
	},
	ACCOUNT_EXISTS: {
		number: -32009,
		retryable: false,
		meaning: "There is already an account with this name.",
		fix: "Choose another name, or replace the credential of that account.",
	},
	ACCOUNTS_DAMAGED: {
		number: -32009,
		retryable: false,
		meaning: "The accounts file can't be used in its current state.",
		fix: "Correct auth-profiles.json, or move it to another folder and add the accounts again.",
	},
	FORBIDDEN_PATH: {
		number: -32602,
		retryable: false,
		http: 403,
		meaning: "This path is not allowed.",
		fix: "Send a run's id, then '/' and a file's relativePath exactly as the run lists it, with each segment percent-encoded once.",
	},
	SEQ_AHEAD: {
		number: -32602,
		retryable: false,
		meaning: "The number in afterSeq, afterFeedSeq or Last-Event-ID is beyond the end of the log.",
		fix: "Resume from a seq that you have received.",
	},
	STREAM_REQUIRED: {
		number: -32602,
		retryable: false,
		meaning: "This method only responds with an event stream.",
		fix: "Send Accept: text/event-stream, outside a batch.",
	},
	INTERNAL: {
		number: -32603,
		retryable: true,
		meaning: "Something went wrong in the bridge.",
		fix: "Try again. The bridge's log has the cause.",
	},
	UNAUTHENTICATED: {
		number: -32001,
		retryable: false,
		http: 401,
		meaning: "The bearer token is missing or wrong.",
		fix: "Send Authorization: Bearer with the token from <home>/bridge/token, or, if XWORKMATE_TOKEN sets one, with that token.",
	},
	FORBIDDEN_HOST: {
		number: -32003,
		retryable: false,
		http: 403,
		meaning: "The Host header is not on the allow-list.",
		fix: "Allow the host with `npm run -s xworkmate -- config set allowedHosts HOST`, then restart the bridge. List every allowed host, because the command replaces the list.",
	},
	FORBIDDEN_ORIGIN: {
		number: -32003,
		retryable: false,
		http: 403,
		meaning: "The Origin header is not on the allow-list.",
		fix: "Allow the origin with `npm run -s xworkmate -- config set allowedOrigins ORIGIN`, then restart the bridge. List every allowed origin, because the command replaces the list.",
	},
	NOT_FOUND: {
		number: -32004,
		retryable: false,
		http: 404,
		meaning: "Nothing was found with this id or path.",
		fix: "Correct the id or the path.",
	},
	SESSION_NOT_FOUND: {
		number: -32004,
		retryable: false,
		meaning: "The bridge has no session for this thread or with this id.",
		fix: "Start one with session.start.",
	},
	PROVIDER_NOT_FOUND: {
		number: -32004,
		retryable: false,
		meaning: "This execution target has no provider with this id.",
		fix: "Choose a provider that `npm run -s xworkmate -- doctor` lists, or add this one to providers.json and restart the bridge.",
	},
	TOOL_NOT_FOUND: {
		number: -32004,
		retryable: false,
		meaning: "No tool or integration has this id.",
		fix: "Choose a tool or integration that `npm run -s xworkmate -- tools list` shows.",
	},
	RUN_EXPIRED: {
		number: -32004,
		retryable: false,
		http: 404,
		meaning: "The run's stored files were removed because of the age or size limit.",
		fix: "Send the message again.",
	},
	METHOD_NOT_ALLOWED: {
		number: -32600,
		retryable: false,
		http: 405,
		meaning: "This path does not support this HTTP method.",
		fix: "Use POST for /acp/rpc and GET for everything else.",
	},
	TURN_CONFLICT: {
		number: -32009,
		retryable: false,
		meaning: "This turnId was already submitted with different input.",
		fix: "Use a new turnId for new input.",
	},
	SESSION_CONFLICT: {
		number: -32009,
		retryable: false,
		meaning: "The thread has a different sessionId, or the session belongs to another thread.",
		fix: "Use the sessionId that the thread was started with or, for a new thread, one that no other thread has.",
	},
	SCOPE_MISMATCH: {
		number: -32009,
		retryable: false,
		meaning: "The artifact scope does not belong to this session and run.",
		fix: "Send the runId and artifactScope of the same update.",
	},
	SESSION_CLOSED: { number: -32009, retryable: false, meaning: "The session was closed.", fix: "Start it again with session.start." },
	THREAD_BUSY: {
		number: -32009,
		retryable: true,
		meaning: "This thread is in use by a run, a plan or an action that has not finished.",
		fix: "If a run is in progress, stop it or wait until it ends. Otherwise, try again in a moment.",
	},
	FOLDER_NOT_REMOVED: {
		number: -32009,
		retryable: true,
		meaning: "A folder of the thread could not be removed, so the thread and its records are kept.",
		fix: "If something is mounted at the path that the message names, unmount it (`umount <path>`). Otherwise, make that path writable. Then delete the thread again.",
	},
	RUN_NOT_TERMINAL: {
		number: -32009,
		retryable: true,
		http: 409,
		meaning: "The run has not finished, so it has no final files.",
		fix: "Wait until the run has finished.",
	},
	ARTIFACT_CHANGED: {
		number: -32009,
		retryable: false,
		http: 409,
		meaning: "The stored file no longer matches its recorded hash, so the disk may be damaged.",
		fix: "Restore the bridge's store from a backup, or send the message again.",
	},
	TOOL_CHANGED: {
		number: -32009,
		retryable: false,
		meaning: "The tool's code is no longer the version that you saw.",
		fix: "Review the new version, then accept it.",
	},
	PROVIDER_AMBIGUOUS: {
		number: -32009,
		retryable: false,
		meaning: "No agent was named, and there is no single one to choose: none is available, or several are and none is the default.",
		fix: "Send routing.providerId, or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.",
	},
	...agentErrors,
	...planErrors,
	...editErrors,
	QUEUE_FULL: { number: -32010, retryable: true, meaning: "The queue is full.", fix: "Wait until a run finishes, or cancel one." },
	DISK_FULL: {
		number: -32012,
		retryable: true,
		meaning: "The disk that holds the bridge's files is full.",
		fix: "Free some space on the bridge's computer. Waiting runs continue as soon as there is enough.",
	},
	DATABASE_DAMAGED: {
		number: -32012,
		retryable: true,
		meaning: "The bridge's database, bridge/bridge.sqlite in its data folder, is damaged and could not be read or written.",
		fix: restoreDatabase("without its runs"),
	},
	RATE_LIMITED: {
		number: -32010,
		retryable: false,
		http: 429,
		meaning: "Too many failed sign-in attempts came from this address.",
		fix: "Send the correct token. It is accepted even while wrong ones are blocked.",
	},
	PROVIDER_UNAVAILABLE: {
		number: -32011,
		retryable: false,
		meaning: "This provider is not available right now.",
		fix: "Correct the problem that the message describes.",
	},
	GATEWAY_UNAVAILABLE: {
		number: -32011,
		retryable: true,
		meaning: "The OpenClaw gateway is not available right now.",
		fix: "Correct the problem that the message describes.",
	},
	BRIDGE_STARTING: {
		number: -32011,
		retryable: true,
		http: 503,
		meaning: "The bridge has just started and does not know the state of its earlier runs yet.",
		fix: "Try again in a few seconds. GET /readyz answers 200 when the bridge is ready.",
	},
	PAYLOAD_TOO_LARGE: {
		number: -32013,
		retryable: false,
		http: 413,
		meaning: "The request or an attachment is larger than allowed.",
		fix: "Stay within the limits that acp.capabilities and docs/protocol.md list.",
	},
	UNSUPPORTED_MEDIA_TYPE: {
		number: -32600,
		retryable: false,
		http: 415,
		meaning: "The body is not application/json, or it is compressed.",
		fix: "Send Content-Type: application/json, without Content-Encoding.",
	},
	RANGE_NOT_SATISFIABLE: {
		number: -32602,
		retryable: false,
		http: 416,
		meaning: "The range is outside the file.",
		fix: "Request a range within the file's size.",
	},
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;
export const ErrorCode = z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]);

/** The catalogue entry of a code, typed so that its optional fields are readable. */
export function errorDefinition(code: ErrorCode): ErrorDefinition {
	return errorCatalogue[code];
}
