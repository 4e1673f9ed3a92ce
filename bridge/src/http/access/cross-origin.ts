import type { IncomingMessage } from "node:http";
import type { FastifyReply } from "fastify";

/** How long a browser may cache a preflight's answer, in seconds. */
const PREFLIGHT_SECONDS = 600;

/**
 * Headers that a page may send in addition to those that are always allowed: the token, the JSON type, the position to resume a stream or a
 * file from, and the version of a file that the page has.
 */
const REQUEST_HEADERS = "authorization, content-type, last-event-id, range, if-range, if-none-match";
/** Headers of a response that a page may read in addition to those that are always allowed. */
const RESPONSE_HEADERS = "content-disposition, content-range, etag, www-authenticate";

/** Lets the browser pass an answer to the requesting page, whose origin has been allowed (Fetch standard, CORS protocol). */
export function openTo(origin: string, reply: FastifyReply): void {
	// The headers are set on the raw response, so that streams and files have them too.
	reply.raw.setHeader("access-control-allow-origin", origin);
	reply.raw.setHeader("access-control-expose-headers", RESPONSE_HEADERS);
	reply.raw.setHeader("vary", "origin");
}

/** True for a browser's preflight request. It carries no token: only the request that follows does. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
	return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** The answer is the same for every path, so that it does not reveal which paths exist. */
export function answerPreflight(reply: FastifyReply): void {
	reply.headers({
		"access-control-allow-methods": "GET, HEAD, POST",
		"access-control-allow-headers": REQUEST_HEADERS,
		"access-control-max-age": PREFLIGHT_SECONDS,
	});
	void reply.code(204).send();
}
