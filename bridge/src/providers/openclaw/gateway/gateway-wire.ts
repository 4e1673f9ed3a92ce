import { spanWords } from "@xworkmate/contracts";
import { WebSocket } from "ws";
import { measureJson } from "../../../json/measure-json.ts";
import type { GatewayBounds } from "./gateway-bounds.ts";
import { GatewayDisconnected, GatewayProtocolError } from "./gateway-error.ts";
import { decodeFrame } from "./gateway-frame.ts";

interface OpenCall {
	readonly resolve: (payload: unknown) => void;
	readonly reject: (error: Error) => void;
}

export interface WireListener {
	onEvent(event: string, payload: unknown): void;
}

/** After more unreadable frames than this, the other side is assumed not to be a gateway. */
const MAX_UNREADABLE = 100;

/** One WebSocket to a gateway: calls and their answers, events, and a check that it is alive. */
export class GatewayWire {
	readonly #socket: WebSocket;
	readonly #bounds: GatewayBounds;
	readonly #listener: WireListener;
	readonly #calls = new Map<string, OpenCall>();
	readonly #opened = Promise.withResolvers<void>();
	readonly #closed = Promise.withResolvers<GatewayDisconnected>();
	#watch: NodeJS.Timeout | undefined;
	#heardAt = performance.now();
	#nextId = 1;
	#unreadable = 0;
	#failure: { readonly words: string; readonly cause?: Error } | undefined;

	/** `url`: ws or wss; errors contain no more of it than its host and port. */
	constructor(url: string, bounds: GatewayBounds, listener: WireListener) {
		this.#bounds = bounds;
		this.#listener = listener;
		this.#opened.promise.catch(() => {});
		this.#socket = new WebSocket(url, {
			handshakeTimeout: bounds.openMs,
			maxPayload: bounds.frameBytes,
			perMessageDeflate: false,
			followRedirects: false,
		});
		this.#socket.on("open", () => this.#opened.resolve());
		this.#socket.on("message", (data, isBinary) => this.#onMessage(isBinary || !Buffer.isBuffer(data) ? undefined : data));
		this.#socket.on("pong", () => this.#heard());
		this.#socket.on("error", (error) => this.#fail(`failed: ${socketWords(error)}`, error));
		this.#socket.on("close", (code, reason) =>
			this.#end(`closed with code ${code}${reason.length === 0 ? "" : ` (${printable(reason)})`}`),
		);
	}

	/** @throws GatewayDisconnected if the connection does not open. */
	get opened(): Promise<void> {
		return this.#opened.promise;
	}

	/** Settles with the reason once the connection is closed. */
	get closed(): Promise<GatewayDisconnected> {
		return this.#closed.promise;
	}

	/** @throws GatewayRefusal for an error response; GatewayDisconnected if there is none */
	call(method: string, params: unknown, ms: number = this.#bounds.requestMs): Promise<unknown> {
		if (this.#socket.readyState !== WebSocket.OPEN) return Promise.reject(new GatewayDisconnected(this.#words("is not open")));
		if (this.#calls.size >= this.#bounds.openCalls)
			return Promise.reject(new GatewayDisconnected("too many calls are waiting for the gateway"));
		const id = `x${this.#nextId++}`;
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		const asked = performance.now();
		const timer = setTimeout(() => {
			reject(new GatewayDisconnected(`the gateway did not answer ${method} within ${spanWords(ms)}`));
			if (this.#heardAt < asked) this.terminate(`was silent for ${ms / 1_000} s after a request`);
		}, ms);
		this.#calls.set(id, { resolve, reject });
		this.#socket.send(JSON.stringify({ type: "req", id, method, params }));
		return promise.finally(() => {
			clearTimeout(timer);
			this.#calls.delete(id);
		});
	}

	/** Pings, and closes a socket that stays silent, because a half-open connection looks like a quiet one. */
	watch(tickMs: number): void {
		const silenceMs = Math.max(this.#bounds.silenceMs, 2 * tickMs);
		this.#watch ??= setInterval(() => {
			if (this.#socket.isPaused) this.#heard();
			if (performance.now() - this.#heardAt > silenceMs) this.terminate(`was silent for ${silenceMs / 1_000} s`);
			else this.#socket.ping();
		}, this.#bounds.pingMs);
	}

	/** Pauses reading until `room` settles; TCP then slows the gateway down. */
	pauseUntil(room: Promise<void>): void {
		if (this.#socket.isPaused) return;
		this.#socket.pause();
		const resume = () => this.#socket.resume();
		room.then(resume, resume);
	}

	/** Closes the connection at once, without the closing handshake that a dead peer would not answer. */
	terminate(reason: string): void {
		this.#fail(reason);
		this.#socket.terminate();
	}

	#onMessage(text: Buffer | undefined): void {
		this.#heard();
		const isReadable = text !== undefined && measureJson(text, this.#bounds.frame) === undefined;
		const frame = decodeFrame(isReadable ? text.toString("utf8") : "");
		if (frame.kind === "answer") this.#calls.get(frame.id)?.resolve(frame.payload);
		else if (frame.kind === "refusal") this.#calls.get(frame.id)?.reject(frame.error);
		else if (frame.kind === "event") this.#listener.onEvent(frame.event, frame.payload);
		else if (++this.#unreadable > MAX_UNREADABLE) this.terminate("carried messages that are not frames of this protocol");
	}

	#heard(): void {
		this.#heardAt = performance.now();
	}

	#fail(words: string, cause?: Error): void {
		this.#failure ??= cause === undefined ? { words } : { words, cause };
	}

	#end(reason: string): void {
		clearInterval(this.#watch);
		this.#fail(reason);
		const error = new GatewayDisconnected(this.#words(reason), { cause: this.#failure?.cause });
		this.#opened.reject(error);
		this.#closed.resolve(error);
		for (const { reject } of this.#calls.values()) reject(error);
		this.#calls.clear();
	}

	#words(otherwise: string): string {
		return `the connection to the gateway ${this.#failure?.words ?? otherwise}`;
	}
}

/** The error's message on one line. Messages of OpenSSL have several lines. */
function socketWords({ message }: Error): string {
	return message.replaceAll(/\s+/g, " ").trim();
}

function printable(reason: Buffer): string {
	return reason.toString("utf8").replaceAll(/\p{Cc}/gu, " ");
}

/** The error for a payload that does not follow the protocol; `what` names it. */
export function protocolProblem(what: string): GatewayProtocolError {
	return new GatewayProtocolError(`the gateway's ${what} does not follow protocol 4`);
}
