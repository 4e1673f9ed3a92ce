import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { type BridgeUnderTest, TOKEN } from "./bridge-under-test.ts";

export interface Call {
	readonly method?: string;
	readonly path?: string;
	readonly headers?: Record<string, string>;
	readonly body?: string | Buffer;
	/** Sent one by one, without a length. */
	readonly chunks?: readonly Buffer[];
	readonly token?: string | undefined;
}

export interface Answer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

export interface WireResponse {
	readonly jsonrpc: string;
	readonly id: unknown;
	readonly result?: Record<string, unknown>;
	readonly error?: { readonly code: number; readonly message: string; readonly data: { readonly code: string; readonly detail?: string } };
}

/** One exchange over HTTP, with the path as it stands. Rejects when the connection ends too early. */
export async function exchange(bridge: BridgeUnderTest, call: Call): Promise<Answer> {
	const response = await respond(bridge, call);
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(Buffer.from(chunk));
	return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

/** The response once its head is there. */
export function respond(bridge: BridgeUnderTest, call: Call): Promise<IncomingMessage> {
	const { method = "GET", path = "/acp/rpc", headers = {}, body } = call;
	const token = "token" in call ? call.token : TOKEN;
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
	const json = body === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
	const request = httpRequest(
		{ host: "127.0.0.1", port: bridge.port, path, method, agent: false, headers: { ...authorization, ...json, ...headers } },
		resolve,
	);
	request.once("error", reject);
	for (const chunk of call.chunks ?? []) request.write(chunk);
	request.end(body);
	return promise;
}

/** `POST /acp/rpc` with a body that may be anything. */
export async function post(bridge: BridgeUnderTest, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
	const text = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
	return exchange(bridge, { method: "POST", headers, body: text });
}

export function json<T = WireResponse>(answer: Answer): T {
	return JSON.parse(answer.body.toString("utf8"));
}

export function rpcBody(method: string, params: unknown = {}, id: unknown = 1) {
	return { jsonrpc: "2.0", id, method, params };
}

/** The wire error's stable code. */
export function errorCode(answer: Answer): string | undefined {
	return json(answer).error?.data.code;
}

/** What a socket answers to raw bytes, until it closes. */
export function rawExchange(bridge: BridgeUnderTest, bytes: string): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const socket = connect(bridge.port, "127.0.0.1", () => socket.write(bytes));
	let answer = "";
	socket.setEncoding("utf8");
	socket.on("data", (chunk) => {
		answer += chunk;
	});
	socket.once("error", reject);
	socket.once("close", () => resolve(answer));
	return promise;
}

export interface StreamEvent {
	readonly id?: string;
	readonly data: {
		readonly method?: string;
		readonly id?: unknown;
		readonly params?: { readonly seq?: number; readonly update?: Record<string, unknown>; readonly change?: Record<string, unknown> };
		readonly result?: { readonly status: string; readonly lastSeq: number };
		readonly error?: { readonly data: { readonly code: string } };
	};
}

/** Reads an event stream frame by frame. */
export class StreamReader {
	readonly response: IncomingMessage;
	readonly #frames: AsyncGenerator<StreamEvent>;

	constructor(response: IncomingMessage) {
		this.response = response;
		this.#frames = frames(response);
	}

	/** The next event; undefined once the server has ended the stream. Rejects when it is cut. */
	async next(): Promise<StreamEvent | undefined> {
		const { value, done } = await this.#frames.next();
		return done === true ? undefined : value;
	}

	async rest(): Promise<StreamEvent[]> {
		const events: StreamEvent[] = [];
		for await (const event of this.#frames) events.push(event);
		return events;
	}

	drop(): void {
		this.response.destroy();
	}
}

export async function stream(
	bridge: BridgeUnderTest,
	method: string,
	params: unknown,
	headers: Record<string, string> = {},
): Promise<StreamReader> {
	const response = await respond(bridge, {
		method: "POST",
		headers: { accept: "application/json, text/event-stream", ...headers },
		body: JSON.stringify(rpcBody(method, params, "request")),
	});
	return new StreamReader(response);
}

async function* frames(response: IncomingMessage): AsyncGenerator<StreamEvent> {
	let rest = "";
	response.setEncoding("utf8");
	for await (const chunk of response) {
		rest += chunk;
		const parts = rest.split("\n\n");
		rest = parts.pop() ?? "";
		for (const part of parts) yield toEvent(part);
	}
}

/** Strict: a frame is an optional id line and one data line. */
function toEvent(frame: string): StreamEvent {
	const [, id, data] = /^(?:id: (\d+|[0-9a-f]+-\d+)\n)?data: (.*)$/.exec(frame) ?? [];
	if (data === undefined) throw new Error(`not a frame of this contract: ${frame}`);
	return { ...(id === undefined ? {} : { id }), data: JSON.parse(data) };
}
