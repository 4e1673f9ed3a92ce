import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as encryptedRequest } from "node:https";

/** Milliseconds. */
export interface GraphLimits {
	readonly connectMs: number;
	/** The longest time without progress, in which no part of the request's body is sent and no part of the response's body arrives. */
	readonly idleMs: number;
}

export interface GraphOrder {
	readonly method: "GET" | "POST";
	readonly url: string;
	readonly token: string;
	/** The body with its media type. */
	readonly body?: { readonly mediaType: string; readonly bytes: Uint8Array };
	readonly limits: GraphLimits;
}

/** How a request ended. `connect`: not a single byte of it was sent. */
export type GraphEnd =
	| { readonly kind: "answer"; readonly status: number; readonly retryAfterMs?: number; readonly body: string }
	/** `code`: an error code of the system or of TLS, or one of this file's own, such as `TIMEOUT`. */
	| { readonly kind: "broken"; readonly phase: "connect" | "sent"; readonly code: string };

const MOST_ANSWER_BYTES = 256 * 1024;
/** The body is sent in parts of this size, each of which counts as progress. */
const PART_BYTES = 64 * 1024;
const MOST_RETRY_AFTER_S = 24 * 60 * 60;

/**
 * Makes one request on its own connection. It is never repeated, and redirects are not followed, so the token goes to no other server.
 * `beforeFirstByte` is awaited once the connection is open and, with https, encrypted.
 * @throws what `beforeFirstByte` threw
 */
export async function exchange(order: GraphOrder, beforeFirstByte: () => Promise<void>, signal: AbortSignal): Promise<GraphEnd> {
	const request = newRequest(order);
	const failed = Promise.withResolvers<never>();
	failed.promise.catch(() => undefined);
	// The listener is never removed, because an error after the end would otherwise be uncaught.
	request.on("error", failed.reject);
	const abort = () => failed.reject(new NoAnswer("ABORTED"));
	signal.addEventListener("abort", abort, { once: true });
	let phase: "connect" | "sent" = "connect";
	let timer = setTimeout(() => failed.reject(new NoAnswer("TIMEOUT")), order.limits.connectMs);
	let refusal: { readonly error: unknown } | undefined;
	try {
		if (signal.aborted) abort();
		await Promise.race([failed.promise, connected(request)]);
		clearTimeout(timer);
		const handedOver = beforeFirstByte().catch((error: unknown) => {
			refusal = { error };
		});
		// The hand-over has to be recorded before the caller gets an outcome.
		await handedOver;
		if (refusal !== undefined) throw refusal.error;
		timer = setTimeout(() => failed.reject(new NoAnswer("TIMEOUT")), order.limits.idleMs);
		const progress = () => void timer.refresh();
		// Any failure up to this point happened before the first byte was sent.
		await Promise.race([failed.promise, Promise.resolve()]);
		phase = "sent";
		const answer = answered(request, progress);
		// An answer may arrive before the whole request has been sent.
		const given = give(request, order.body?.bytes ?? new Uint8Array(), progress);
		for (const one of [answer, given]) one.catch(() => undefined);
		await Promise.race([failed.promise, answer, given]);
		return await Promise.race([failed.promise, answer]);
	} catch (error) {
		if (refusal !== undefined) throw refusal.error;
		return { kind: "broken", phase, code: codeOf(error) };
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", abort);
		// A request whose outcome is not known must not continue unnoticed, and no connection is used twice.
		request.destroy();
	}
}

function newRequest({ method, url, token, body }: GraphOrder): ClientRequest {
	const make = url.startsWith("https:") ? encryptedRequest : plainRequest;
	return make(url, {
		method,
		// A new connection, because the server may be about to close one that was used before.
		agent: false,
		headers: {
			authorization: `Bearer ${token}`,
			accept: "application/json",
			"user-agent": "XWorkmate",
			connection: "close",
			...(body !== undefined && { "content-type": body.mediaType, "content-length": body.bytes.byteLength }),
		},
	});
}

function connected(request: ClientRequest): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	request.once("socket", (socket) => socket.once("encrypted" in socket ? "secureConnect" : "connect", () => resolve()));
	return promise;
}

/** Sends the body, and ends the request. */
async function give(request: ClientRequest, bytes: Uint8Array, progress: () => void): Promise<void> {
	for (let at = 0; at < bytes.byteLength; at += PART_BYTES) {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		request.write(bytes.subarray(at, at + PART_BYTES), (error) => (error === undefined || error === null ? resolve() : reject(error)));
		await promise;
		progress();
	}
	request.end();
}

async function answered(request: ClientRequest, progress: () => void): Promise<GraphEnd> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	request.once("response", resolve);
	request.once("close", () => reject(new NoAnswer("CLOSED")));
	const response = await promise;
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of response) {
		progress();
		parts.push(part);
		size += part.length;
		if (size > MOST_ANSWER_BYTES) throw new NoAnswer("TOO_LARGE");
	}
	if (!response.complete) throw new NoAnswer("CUT");
	const seconds = Number(response.headers["retry-after"]);
	const retry = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: Math.min(seconds, MOST_RETRY_AFTER_S) * 1_000 } : {};
	return { kind: "answer", status: response.statusCode ?? 0, body: Buffer.concat(parts).toString("utf8"), ...retry };
}

/** No complete response arrived, for the reason in `code`. */
class NoAnswer extends Error {
	override readonly name = "NoAnswer";
	readonly code: string;

	constructor(code: string) {
		super(code);
		this.code = code;
	}
}

function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return "";
	return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
