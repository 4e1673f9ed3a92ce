import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { WebhookDoor } from "../../ports/channels/channel-news.ts";
import { WebhookListenError } from "../../ports/channels/webhook-listen-error.ts";
import type { TlsTexts } from "../node-server.ts";
import { isSameSecret, isSigned } from "./signature.ts";

/** Bounds of the listener; times in milliseconds. */
export interface WebhookLimits {
	readonly bodyBytes: number;
	/** From the beginning of a connection or of a later request to the end of the headers. */
	readonly headMs: number;
	/** From the beginning of a connection or of a later request to the end of the request. */
	readonly requestMs: number;
	readonly connections: number;
}

export interface WebhookServerOptions {
	readonly whatsapp: WebhookDoor;
	readonly tls?: TlsTexts;
	readonly limits?: Partial<WebhookLimits>;
	/**
	 * Called when a report could not be stored, or a call could not be answered. The error contains neither a secret nor any part of the
	 * report.
	 */
	readonly onError: (error: unknown) => void;
}

/** Serves the path that WhatsApp calls, and nothing else. It has its own listener, because strangers can reach it. */
export interface WebhookServer extends AsyncDisposable {
	/**
	 * Returns the port.
	 * @throws WebhookListenError
	 */
	listen(address: { readonly host: string; readonly port: number }): Promise<number>;
}

const defaults: WebhookLimits = { bodyBytes: 3 * 1024 * 1024, headMs: 10_000, requestMs: 30_000, connections: 64 };
const PATH = "/webhooks/whatsapp";
const HEAD_BYTES = 8_192;
const KEEP_ALIVE_MS = 5_000;
const MOST_CHALLENGE = 1_000;
/** Only a challenge of this form is echoed, so that a caller can't put other text into a response. */
const CHALLENGE = /^[\w.-]+$/;

interface Answer {
	readonly status: number;
	readonly text?: string;
}

type Body = Buffer | "too_large" | "cut";

/** Creates the server, which is not listening yet. */
export function createWebhookServer({ whatsapp, tls, limits, onError }: WebhookServerOptions): WebhookServer {
	const bounds = { ...defaults, ...limits };
	const server = openServer(bounds, tls, (request, response) => {
		answerTo(request, whatsapp, bounds)
			.catch((error: unknown): Answer => {
				onError(error);
				return { status: 503 };
			})
			.then((answer) => reply(request, response, answer))
			.catch(onError);
	});
	return {
		listen: async ({ host, port }) => {
			const { promise, resolve, reject } = Promise.withResolvers<void>();
			const refuse = (error: Error) => reject(new WebhookListenError(error));
			server.once("error", refuse);
			server.listen(port, host, resolve);
			await promise;
			server.off("error", refuse);
			return (server.address() as AddressInfo).port;
		},
		async [Symbol.asyncDispose]() {
			if (!server.listening) return;
			const { promise, resolve } = Promise.withResolvers<void>();
			server.close(() => resolve());
			server.closeIdleConnections();
			// Calls in progress get a moment to finish. WhatsApp sends unanswered calls again.
			const late = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
			await promise;
			clearTimeout(late);
		},
	};
}

const CLOSE_MS = 1_000;

function openServer({ headMs, requestMs, connections }: WebhookLimits, tls: TlsTexts | undefined, listener: RequestListener): Server {
	const settings = {
		headersTimeout: headMs,
		requestTimeout: requestMs,
		connectionsCheckingInterval: Math.min(headMs, 1_000),
		keepAliveTimeout: KEEP_ALIVE_MS,
		maxHeaderSize: HEAD_BYTES,
	};
	const server = tls === undefined ? createServer(settings, listener) : createTlsServer({ ...settings, ...tls }, listener);
	server.maxConnections = connections;
	// Input that is not HTTP or arrives too slowly gets no answer, nor does a request to connect or upgrade.
	server.on("clientError", (_error, socket) => socket.destroy());
	server.on("connect", (_request, socket) => socket.destroy());
	server.on("upgrade", (_request, socket) => socket.destroy());
	return server;
}

async function answerTo(request: IncomingMessage, door: WebhookDoor, { bodyBytes }: WebhookLimits): Promise<Answer> {
	const [path, query = ""] = (request.url ?? "").split("?", 2);
	if (path !== PATH) return { status: 404 };
	if (request.method === "GET") return verified(new URLSearchParams(query), door);
	if (request.method !== "POST") return { status: 404 };
	const body = await readBody(request, bodyBytes);
	if (body === "too_large") return { status: 413 };
	if (body === "cut") return { status: 400 };
	const header = request.headers["x-hub-signature-256"];
	const { appSecret } = door.secrets();
	if (appSecret === undefined || typeof header !== "string" || !isSigned(body, header, appSecret)) return { status: 401 };
	const parsed = parse(body);
	if (parsed === undefined) return { status: 400 };
	await door.take(parsed.value);
	return { status: 200 };
}

/** Echoes the challenge of a request that has the right token. */
function verified(query: URLSearchParams, door: WebhookDoor): Answer {
	const { verifyToken } = door.secrets();
	const token = query.get("hub.verify_token");
	const challenge = query.get("hub.challenge");
	const isAsked = query.get("hub.mode") === "subscribe" && token !== null && challenge !== null;
	if (!isAsked || verifyToken === undefined || !isSameSecret(token, verifyToken)) return { status: 403 };
	return challenge.length <= MOST_CHALLENGE && CHALLENGE.test(challenge) ? { status: 200, text: challenge } : { status: 400 };
}

async function readBody(request: IncomingMessage, most: number): Promise<Body> {
	if (Number(request.headers["content-length"] ?? 0) > most) return "too_large";
	const pieces: Buffer[] = [];
	let size = 0;
	try {
		for await (const piece of request as AsyncIterable<Buffer>) {
			size += piece.length;
			if (size > most) return "too_large";
			pieces.push(piece);
		}
	} catch {
		// The caller disconnected, or was too slow.
		return "cut";
	}
	return Buffer.concat(pieces);
}

function parse(body: Buffer): { readonly value: unknown } | undefined {
	try {
		return { value: JSON.parse(body.toString("utf8")) };
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

function reply(request: IncomingMessage, response: ServerResponse, { status, text = "" }: Answer): void {
	if (response.destroyed) return;
	// If a body was not read to its end, the connection cannot be used again.
	const isWhole = request.complete;
	const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff", "cache-control": "no-store" };
	response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text), ...(isWhole ? {} : { connection: "close" }) });
	response.end(text, () => {
		if (!isWhole) request.destroy();
	});
}
