import { ContractError, type ErrorCode, errorDefinition } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorResponse, isOwnFailure, normalizeError } from "../../rpc/index.ts";

export const RPC_PATH = "/acp/rpc";

const transportErrors: Readonly<Record<string, ErrorCode>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: "PAYLOAD_TOO_LARGE",
	FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: "INVALID_REQUEST",
	FST_ERR_BAD_URL: "FORBIDDEN_PATH",
	FST_ERR_NOT_FOUND: "NOT_FOUND",
	FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
};

/** Converts an error of Fastify or of a handler to the error that is sent. */
function toContractError(error: unknown): ContractError {
	if (!(error instanceof Error) || error instanceof ContractError) return normalizeError(error);
	const code = transportErrors[systemErrorCode(error) ?? ""];
	if (code !== undefined) return new ContractError(code);
	const status = "statusCode" in error ? Number(error.statusCode) : 500;
	return status >= 400 && status < 500 ? new ContractError("INVALID_REQUEST") : normalizeError(error);
}

/** Answers an error with a JSON-RPC body (docs/protocol.md#errors). The `id` is null, because no JSON-RPC request is known here. */
export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
	const error = toContractError(thrown);
	if (isOwnFailure(error)) request.log.error({ err: error.cause ?? error, route: request.routeOptions.url }, "a request failed");
	if (error.code === "UNAUTHENTICATED") reply.header("www-authenticate", "Bearer");
	if (error.code === "PAYLOAD_TOO_LARGE") readAway(request, reply);
	void reply.code(httpStatus(error.code, request)).type("application/json; charset=utf-8").send(errorResponse(null, error));
}

/**
 * Reads and drops the rest of the body, within the server's request timeout. Closing at once, as Fastify would, resets the connection while
 * the client is still sending, and the client never gets the answer.
 */
function readAway(request: FastifyRequest, reply: FastifyReply): void {
	reply.removeHeader("connection");
	request.raw.resume();
}

/** An error that has its own HTTP status uses it. Any other is answered with 200 on the JSON-RPC path, and with 400 or 500 elsewhere. */
function httpStatus(code: ErrorCode, request: FastifyRequest): number {
	const { http } = errorDefinition(code);
	if (http !== undefined) return http;
	if (request.routeOptions.url === RPC_PATH) return 200;
	return code === "INTERNAL" || code === "DISK_FULL" || code === "DATABASE_DAMAGED" ? 500 : 400;
}
