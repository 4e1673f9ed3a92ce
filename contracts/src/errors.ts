import { z } from "zod";

interface ErrorDefinition {
	/** JSON-RPC error number. */
	readonly number: number;
	/** True when the same call may succeed later without being changed. */
	readonly retryable: boolean;
	/** HTTP status where the error is one of transport (CONTRACT, Transport); absent = answered with 200. */
	readonly http?: number;
	/** What happened, in one sentence. */
	readonly meaning: string;
	/** What the caller does about it. */
	readonly fix: string;
}

/** Every wire error, its number, whether a retry makes sense, and the fix (CONTRACT, Errors). */
export const errorCatalogue = {
	PARSE_ERROR: { number: -32700, retryable: false, meaning: "The body is not JSON.", fix: "Send a JSON-RPC 2.0 request." },
	INVALID_REQUEST: {
		number: -32600,
		retryable: false,
		meaning: "The body is JSON, but no JSON-RPC 2.0 request this endpoint serves.",
		fix: 'Send {"jsonrpc":"2.0","id":...,"method":...,"params":{...}}, nested at most 64 deep, with at most 50,000 entries and elements.',
	},
	METHOD_NOT_FOUND: {
		number: -32601,
		retryable: false,
		meaning: "There is no such method.",
		fix: "See GET /openrpc.json for the methods.",
	},
	INVALID_PARAMS: {
		number: -32602,
		retryable: false,
		meaning: "A parameter is missing, unknown or has the wrong form.",
		fix: "The detail names the parameter; docs/protocol.md gives its form.",
	},
	ROUTING_REQUIRED: {
		number: -32602,
		retryable: false,
		meaning: "The request does not say where to run.",
		fix: 'Send routing: {"executionTarget":"agent"} or {"executionTarget":"gateway"}.',
	},
	FORBIDDEN_PATH: {
		number: -32602,
		retryable: false,
		http: 403,
		meaning: "The path is not one that may be named.",
		fix: "Use a relative path with '/' and without '..', NUL or reserved names.",
	},
	SEQ_AHEAD: {
		number: -32602,
		retryable: false,
		meaning: "afterSeq is beyond the end of the run's log.",
		fix: "Resume from a seq that you have seen.",
	},
	STREAM_REQUIRED: {
		number: -32602,
		retryable: false,
		meaning: "The method answers with an event stream only.",
		fix: "Send Accept: text/event-stream, outside a batch.",
	},
	INTERNAL: { number: -32603, retryable: true, meaning: "The bridge failed.", fix: "Try again; the bridge's log has the cause." },
	UNAUTHENTICATED: {
		number: -32001,
		retryable: false,
		http: 401,
		meaning: "The bearer token is missing or wrong.",
		fix: "Send Authorization: Bearer with the token from <home>/bridge/token.",
	},
	FORBIDDEN_HOST: {
		number: -32003,
		retryable: false,
		http: 403,
		meaning: "The Host header is not on the allow-list.",
		fix: "Add the host to XWORKMATE_ALLOWED_HOSTS.",
	},
	FORBIDDEN_ORIGIN: {
		number: -32003,
		retryable: false,
		http: 403,
		meaning: "The Origin header is not on the allow-list.",
		fix: "Add the origin to XWORKMATE_ALLOWED_ORIGINS.",
	},
	NOT_FOUND: { number: -32004, retryable: false, http: 404, meaning: "There is no such thing here.", fix: "Check the id or the path." },
	SESSION_NOT_FOUND: {
		number: -32004,
		retryable: false,
		meaning: "The bridge does not know this thread's session.",
		fix: "Begin it with session.start.",
	},
	PROVIDER_NOT_FOUND: {
		number: -32004,
		retryable: false,
		meaning: "No provider has this id.",
		fix: "acp.capabilities lists the providers; providers.json adds others.",
	},
	RUN_EXPIRED: {
		number: -32004,
		retryable: false,
		http: 404,
		meaning: "The run's bytes were removed by the age or size limit; its record stays.",
		fix: "Run the turn again.",
	},
	METHOD_NOT_ALLOWED: {
		number: -32600,
		retryable: false,
		http: 405,
		meaning: "The path does not serve this HTTP method.",
		fix: "POST /acp/rpc, GET the others.",
	},
	TURN_CONFLICT: {
		number: -32009,
		retryable: false,
		meaning: "This turnId was submitted before with other input.",
		fix: "Mint a new turnId for new input.",
	},
	SESSION_CONFLICT: {
		number: -32009,
		retryable: false,
		meaning: "The thread has another sessionId, or the session belongs to another thread.",
		fix: "Use the thread's own sessionId.",
	},
	SCOPE_MISMATCH: {
		number: -32009,
		retryable: false,
		meaning: "The artifact scope is not this session's and run's.",
		fix: "Ask with the runId and artifactScope of the same update.",
	},
	SESSION_CLOSED: { number: -32009, retryable: false, meaning: "The session was closed.", fix: "Begin it anew with session.start." },
	THREAD_BUSY: {
		number: -32009,
		retryable: true,
		meaning: "The thread has a turn that is not over.",
		fix: "Cancel it or wait for its end.",
	},
	FOLDER_NOT_REMOVED: {
		number: -32009,
		retryable: true,
		meaning: "A folder of the thread could not be removed, so the thread and its records are kept.",
		fix: "The detail names the path: unmount what is mounted there (umount <path>) or make it writable, then delete the thread again.",
	},
	RUN_NOT_TERMINAL: {
		number: -32009,
		retryable: true,
		http: 409,
		meaning: "The run is not over, so it has no final artifacts.",
		fix: "Wait for a terminal snapshot.",
	},
	ARTIFACT_CHANGED: {
		number: -32009,
		retryable: false,
		http: 409,
		meaning: "The stored bytes no longer match the manifest; the disk is damaged.",
		fix: "Restore the bridge's store from a back-up, or run the turn again.",
	},
	PROVIDER_AMBIGUOUS: {
		number: -32009,
		retryable: false,
		meaning: "Several providers fit, and none is the default.",
		fix: "Name routing.providerId, or set XWORKMATE_DEFAULT_PROVIDER.",
	},
	QUEUE_FULL: { number: -32010, retryable: true, meaning: "The queue is full.", fix: "Wait for a turn to end, or cancel one." },
	DISK_FULL: {
		number: -32012,
		retryable: true,
		meaning: "The disk that holds the bridge's files is full.",
		fix: "Free some space on the bridge's machine; what is waiting goes on as soon as there is room.",
	},
	RATE_LIMITED: {
		number: -32010,
		retryable: true,
		http: 429,
		meaning: "Too many failed authentications from this address.",
		fix: "Wait a minute and send the right token.",
	},
	PROVIDER_UNAVAILABLE: {
		number: -32011,
		retryable: false,
		meaning: "The provider cannot run here now.",
		fix: "The detail says what is missing.",
	},
	GATEWAY_UNAVAILABLE: {
		number: -32011,
		retryable: true,
		meaning: "The OpenClaw gateway cannot be used now.",
		fix: "The detail says what is missing.",
	},
	PAYLOAD_TOO_LARGE: {
		number: -32013,
		retryable: false,
		http: 413,
		meaning: "The body or an attachment is over its limit.",
		fix: "acp.capabilities lists the limits.",
	},
	UNSUPPORTED_MEDIA_TYPE: {
		number: -32600,
		retryable: false,
		http: 415,
		meaning: "The body is not application/json.",
		fix: "Send Content-Type: application/json.",
	},
	RANGE_NOT_SATISFIABLE: {
		number: -32602,
		retryable: false,
		http: 416,
		meaning: "The range lies outside the file.",
		fix: "Ask within the file's size.",
	},
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;
export const ErrorCode = z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]);

/** The catalogue entry of a code, with its optional fields readable. */
export function errorDefinition(code: ErrorCode): ErrorDefinition {
	return errorCatalogue[code];
}

/** `error.data` of every JSON-RPC error; clients branch on `code`. */
export const ErrorData = z.object({
	code: ErrorCode,
	retryable: z.boolean(),
	detail: z.string().optional(),
	fix: z.string().optional(),
});
export type ErrorData = z.infer<typeof ErrorData>;

export const WireError = z.object({ code: z.int(), message: z.string(), data: ErrorData });
export type WireError = z.infer<typeof WireError>;

export interface ContractErrorOptions {
	/** What exactly was wrong, without secrets. */
	readonly detail?: string;
	/** Overrides the catalogue's fix. */
	readonly fix?: string;
	readonly cause?: unknown;
}

/** An error that crosses the wire: a stable code, and words for the person. */
export class ContractError extends Error {
	override readonly name = "ContractError";
	readonly code: ErrorCode;
	readonly detail: string | undefined;
	readonly fix: string;

	constructor(code: ErrorCode, options: ContractErrorOptions = {}) {
		super(options.detail ?? errorCatalogue[code].meaning, options.cause === undefined ? {} : { cause: options.cause });
		this.code = code;
		this.detail = options.detail;
		this.fix = options.fix ?? errorCatalogue[code].fix;
	}

	get retryable(): boolean {
		return errorCatalogue[this.code].retryable;
	}

	/** The JSON-RPC `error` object. */
	toWire(): WireError {
		const data: ErrorData = { code: this.code, retryable: this.retryable, fix: this.fix };
		if (this.detail !== undefined) data.detail = this.detail;
		return { code: errorCatalogue[this.code].number, message: this.message, data };
	}
}
