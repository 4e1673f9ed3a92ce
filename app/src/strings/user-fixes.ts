import type { ErrorCode } from "@xworkmate/contracts";

const SAME_VERSION = "Update the app and the bridge to the same version.";

/** Replacements for fixes that are written for programs that call the bridge. */
const userFixes: Readonly<Partial<Record<ErrorCode, string>>> = {
	PARSE_ERROR: SAME_VERSION,
	INVALID_REQUEST: SAME_VERSION,
	METHOD_NOT_FOUND: SAME_VERSION,
	METHOD_NOT_ALLOWED: SAME_VERSION,
	STREAM_REQUIRED: SAME_VERSION,
	SEQ_AHEAD: SAME_VERSION,
	UNSUPPORTED_MEDIA_TYPE: SAME_VERSION,
	RANGE_NOT_SATISFIABLE: "Reload the page.",
	BRIDGE_STARTING: "Try again in a few seconds.",
	ROUTING_REQUIRED: "Choose an agent.",
	PROVIDER_AMBIGUOUS: "Choose an agent.",
	SESSION_NOT_FOUND: "Send the message again in a new thread.",
	SESSION_CONFLICT: "Send the message again in a new thread.",
	SESSION_CLOSED: "Send the message again.",
	SCOPE_MISMATCH: "Send the message again.",
	RUN_EXPIRED: "Start a new run to get the files.",
	TURN_CONFLICT: "Send this text as a new message.",
	PAYLOAD_TOO_LARGE: "Shorten the message, or attach fewer files.",
};

/**
 * Occurs only in the catalogue's own fix for PAYLOAD_TOO_LARGE. Other fixes for that code are written for the user, about the message that
 * is too large.
 */
const FOR_PROGRAMS = "acp.capabilities";

/** The fix that arrived with an error, or its replacement if that fix is written for programs. */
export function fixFor(code: string, fix: string | undefined): string | undefined {
	if (code === "PAYLOAD_TOO_LARGE" && fix?.includes(FOR_PROGRAMS) === false) return fix;
	return fix !== undefined && Object.hasOwn(userFixes, code) ? userFixes[code as ErrorCode] : fix;
}
