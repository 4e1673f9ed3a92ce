import { type ErrorCode, type ResultCode, sentence } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { commandLine } from "../../text/command-line.ts";

/** The codes of a call without a usable answer (docs/protocol.md#the-app). */
export type TransportCode = Extract<ResultCode, `ACP_HTTP_${string}`>;

const AGAIN = `Wait a few seconds, then try again: a running XWorkmate restarts its own bridge. If that doesn't help: ${commandLine("doctor")}`;
const REFUSED = `Check the bridge and its token: ${commandLine("doctor")}`;

/** The call got no usable answer: the connection was refused or closed, the answer was truncated, late, unreadable or an HTTP error. */
export class BridgeTransportError extends Error {
	override readonly name = "BridgeTransportError";
	readonly code: TransportCode;
	/** The bridge's own code, if the error body contained one. */
	readonly bridgeCode: ErrorCode | undefined;

	/** What the user can do about it. */
	readonly fix: string;

	constructor(code: TransportCode, message: string, options: { cause?: unknown; bridgeCode?: ErrorCode } = {}) {
		super(sentence(message), options.cause === undefined ? {} : { cause: options.cause });
		this.code = code;
		this.bridgeCode = options.bridgeCode;
		this.fix = this.final ? REFUSED : AGAIN;
	}

	/** True if the bridge answered and asking again cannot help: 4xx, except 408, 425 and 429, which are temporary. */
	get final(): boolean {
		return /^ACP_HTTP_4\d\d$/.test(this.code) && !/^ACP_HTTP_4(08|25|29)$/.test(this.code);
	}
}

/** The error for an answer that this client cannot read. The client does not act on it, and asks again. */
export function unreadable(message: string, cause?: unknown): BridgeTransportError {
	return new BridgeTransportError("ACP_HTTP_200", `The bridge sent an unexpected reply: ${message}`, { cause });
}

export function closed(message: string, cause?: unknown): BridgeTransportError {
	return new BridgeTransportError("ACP_HTTP_CONNECTION_CLOSED", message, { cause });
}

export function httpStatus(status: number, message: string, bridgeCode?: ErrorCode): BridgeTransportError {
	const code = `ACP_HTTP_${status}` as const;
	return new BridgeTransportError(code, message, bridgeCode === undefined ? {} : { bridgeCode });
}

const neverConnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"]);

/** Classifies a failure of node:http. A call with a TLS failure also never reached the bridge. */
export function fromNetwork(error: unknown): BridgeTransportError {
	if (error instanceof BridgeTransportError) return error;
	const code = networkCode(error);
	const connect = code !== undefined && (neverConnected.has(code) || code.startsWith("ERR_TLS") || code.includes("CERT"));
	if (!connect) return closed(`The connection to the bridge was closed${code === undefined ? "" : ` (${code})`}.`, error);
	return new BridgeTransportError("ACP_HTTP_CONNECT_FAILED", `The bridge can't be reached (${code}).`, { cause: error });
}

function networkCode(error: unknown): string | undefined {
	for (let current = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth++) {
		const code = systemErrorCode(current) ?? (current instanceof AggregateError ? networkCode(current.errors[0]) : undefined);
		if (code !== undefined) return code;
	}
	return undefined;
}
