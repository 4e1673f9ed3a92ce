import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { HandOver } from "../../ports/channels/channel.ts";
import type { DiscordApi } from "./discord-settings.ts";

/** Milliseconds. */
export interface ApiLimits {
	readonly connectMs: number;
	/** The longest time without a byte in either direction. */
	readonly idleMs: number;
}

export interface ApiRequest {
	readonly api: DiscordApi;
	readonly method: "GET" | "POST";
	/** Relative to the API's versioned root. */
	readonly path: string;
	readonly body?: { readonly mediaType: string; readonly bytes: Uint8Array };
	readonly limits: ApiLimits;
}

/** How a request ended. */
export type ApiEnd =
	| {
			readonly kind: "answered";
			readonly status: number;
			/** The body as JSON; undefined if it is not JSON. */
			readonly body: unknown;
			/** Seconds to wait, from the headers. */
			readonly retryAfter?: string;
			/** The server's clock. */
			readonly date?: string;
	  }
	/** No complete response arrived. `isGiven`: a byte of the request may have been sent. `isBegun`: the response had begun to arrive. */
	| { readonly kind: "broken"; readonly isGiven: boolean; readonly isBegun: boolean; readonly code: string };

const MOST_ANSWER = 4 * 1024 * 1024;
const USER_AGENT = "DiscordBot (XWorkmate, 1)";

/**
 * Makes one request on its own connection, never repeated and never redirected. `handOver` is awaited once the connection is open, before
 * the first byte of the request.
 * @throws what `handOver` threw
 */
export async function askApi(asked: ApiRequest, handOver: HandOver, signal: AbortSignal): Promise<ApiEnd> {
	const opened = await openSocket(asked, signal);
	if (!("socket" in opened)) return { kind: "broken", isGiven: false, isBegun: false, code: opened.code };
	const { socket } = opened;
	try {
		await handOver();
		// The connection was closed or the request aborted in the meantime, and nothing was written.
		if (socket.destroyed || !socket.writable || signal.aborted) return { kind: "broken", isGiven: false, isBegun: false, code: "CLOSED" };
		return await exchange(socket, asked, signal);
	} finally {
		socket.destroy();
	}
}

async function openSocket({ api, limits }: ApiRequest, signal: AbortSignal): Promise<{ socket: Socket } | { code: string }> {
	const { base } = api;
	const isTls = base.protocol === "https:";
	const host = base.hostname.replace(/^\[|\]$/g, "");
	const port = base.port === "" ? (isTls ? 443 : 80) : Number(base.port);
	const { promise, resolve } = Promise.withResolvers<{ socket: Socket } | { code: string }>();
	const socket = isTls ? connectTls({ host, port, servername: host, minVersion: "TLSv1.2" }) : connectPlain({ host, port });
	const fail = (code: string) => {
		resolve({ code });
		socket.destroy();
	};
	const abort = () => fail("ABORTED");
	// A listener stays, because an error after the end would otherwise be uncaught.
	socket.on("error", (error) => fail(systemErrorCode(error) ?? "BROKEN"));
	socket.once("close", () => fail("CLOSED"));
	socket.setTimeout(limits.connectMs, () => fail("ETIMEDOUT"));
	socket.once(isTls ? "secureConnect" : "connect", () => {
		socket.setTimeout(0);
		resolve({ socket });
	});
	if (signal.aborted) abort();
	signal.addEventListener("abort", abort, { once: true });
	try {
		return await promise;
	} finally {
		signal.removeEventListener("abort", abort);
	}
}

async function exchange(socket: Socket, { api, method, path, body, limits }: ApiRequest, signal: AbortSignal): Promise<ApiEnd> {
	const { promise, resolve } = Promise.withResolvers<ApiEnd>();
	let isBegun = false;
	const broken = (code: string) => resolve({ kind: "broken", isGiven: true, isBegun, code });
	const request = httpRequest({
		createConnection: () => socket,
		method,
		path: `${api.base.pathname}${path}`,
		headers: {
			host: api.base.host,
			authorization: `Bot ${api.token}`,
			"user-agent": USER_AGENT,
			accept: "application/json",
			connection: "close",
			...(body !== undefined && { "content-type": body.mediaType, "content-length": body.bytes.byteLength }),
		},
		maxHeaderSize: 64 * 1024,
	});
	const abort = () => broken("ABORTED");
	signal.addEventListener("abort", abort, { once: true });
	socket.setTimeout(limits.idleMs, () => broken("ETIMEDOUT"));
	request.on("error", (error) => broken(systemErrorCode(error) ?? "BROKEN"));
	request.once("close", () => broken("CLOSED"));
	request.once("response", (response) => {
		isBegun = true;
		void read(response).then(resolve);
	});
	request.end(body?.bytes);
	try {
		return await promise;
	} finally {
		signal.removeEventListener("abort", abort);
		request.destroy();
	}
}

async function read(response: IncomingMessage): Promise<ApiEnd> {
	const { statusCode: status = 0, headers } = response;
	const { date, "retry-after": retryAfter } = headers;
	try {
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of response) {
			const bytes = Buffer.from(chunk);
			size += bytes.byteLength;
			if (size > MOST_ANSWER) return { kind: "broken", isGiven: true, isBegun: true, code: "TOO_LARGE" };
			chunks.push(bytes);
		}
		if (!response.complete) return { kind: "broken", isGiven: true, isBegun: true, code: "CUT" };
		const body = parsed(Buffer.concat(chunks).toString("utf8"));
		return { kind: "answered", status, body, ...(retryAfter !== undefined && { retryAfter }), ...(date !== undefined && { date }) };
	} catch (error) {
		return { kind: "broken", isGiven: true, isBegun: true, code: systemErrorCode(error) ?? "CUT" };
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
