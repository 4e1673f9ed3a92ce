import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface Sent {
	readonly url: URL;
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
	readonly maxBytes: number;
	readonly signal: AbortSignal;
}

export interface Received {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
}

/** `isSent` false: no byte of the request has left this machine, so the server cannot have acted on it. */
export class ExchangeFailed extends Error {
	override readonly name: string = "ExchangeFailed";
	readonly isSent: boolean;

	constructor(message: string, isSent: boolean) {
		super(message);
		this.isSent = isSent;
	}
}

/**
 * Makes one request on a connection of its own. The request is written only once the connection, TLS included, is established, so an
 * earlier failure means for certain that nothing was sent. With a kept-alive connection this would be uncertain, because the server may
 * close it at the moment of sending.
 * @throws ExchangeFailed
 */
export async function exchange(sent: Sent): Promise<Received> {
	const socket = await connection(sent.url, sent.signal).catch((error: unknown) => {
		throw new ExchangeFailed(reasonOf(error), false);
	});
	try {
		return await read(await answerOn(socket, sent), sent.maxBytes);
	} catch (error) {
		if (error instanceof ExchangeFailed) throw error;
		throw new ExchangeFailed(reasonOf(error), true);
	} finally {
		socket.destroy();
	}
}

async function connection(url: URL, signal: AbortSignal): Promise<Socket> {
	signal.throwIfAborted();
	const isSecure = url.protocol === "https:";
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const port = Number(url.port === "" ? (isSecure ? 443 : 80) : url.port);
	const socket = isSecure ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) }) : connectTcp({ host, port });
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const stop = () => socket.destroy(abortReason(signal));
	signal.addEventListener("abort", stop, { once: true });
	socket
		.once(isSecure ? "secureConnect" : "connect", resolve)
		.on("error", reject)
		.once("close", () => reject(new Error("the connection was closed")));
	try {
		await promise;
		return socket;
	} catch (error) {
		socket.destroy();
		throw error;
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

/** Resolves with the head of the answer. From here on, a failure no longer says whether the server has acted. */
function answerOn(socket: Socket, { url, method, headers, body, signal }: Sent): Promise<IncomingMessage> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const request = url.protocol === "https:" ? requestHttps : requestHttp;
	try {
		const outgoing = request(url, { method, headers, signal, createConnection: () => socket });
		outgoing
			.once("response", resolve)
			.on("error", reject)
			.once("close", () => reject(new Error("the connection was closed")));
		outgoing.end(body);
	} catch (error) {
		// Node refuses a wrong header or method before it writes anything.
		throw new ExchangeFailed(reasonOf(error), false);
	}
	return promise;
}

async function read(answer: IncomingMessage, maxBytes: number): Promise<Received> {
	const coding = answer.headers["content-encoding"] ?? "identity";
	if (coding !== "identity") throw new Error(`the answer is compressed (${coding}), but compression was not requested`);
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of answer) {
		const bytes = Buffer.from(part);
		size += bytes.length;
		if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
		parts.push(bytes);
	}
	const headers = Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]);
	return { status: answer.statusCode ?? 0, headers: Object.fromEntries(headers), text: Buffer.concat(parts).toString("utf8") };
}

function abortReason({ reason }: AbortSignal): Error {
	return reason instanceof Error ? reason : new Error("the request was stopped");
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	// Abort errors, and those of wrappers like `fetch`, have the reason inside.
	if (error.name === "AbortError") return error.cause instanceof Error ? reasonOf(error.cause) : "the request was stopped";
	if (error.name === "TimeoutError") return "there was no answer in time";
	// Several addresses of the host were tried.
	if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join("; ");
	return error.message;
}
