import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { EventStream, type StreamOptions } from "./event-stream.ts";
import { type Refusal, RpcResponse, TaskSnapshot } from "./wire.ts";

export interface BareClientOptions {
	/** The bridge's origin, as endpoint.json has it. */
	readonly url: string;
	readonly token?: string;
	/** Port on 127.0.0.1 to connect to instead (a proxy); the Host header stays the bridge's. */
	readonly via?: number;
}

export interface HttpCall {
	readonly method?: string;
	/** Sent unchanged: no normalisation of dots, escapes or NUL. */
	readonly path: string;
	readonly headers?: Record<string, string>;
	readonly body?: string | Buffer;
	/** False leaves the Authorization header out. */
	readonly authorized?: boolean;
}

export interface HttpAnswer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** A JSON-RPC error that the bridge answered with. */
export class RpcRefused extends Error {
	override readonly name = "RpcRefused";
	readonly refusal: Refusal;
	readonly status: number;
	constructor(refusal: Refusal, status: number) {
		super(`${refusal.data.code}: ${refusal.message}`);
		this.refusal = refusal;
		this.status = status;
	}
}

const CALL_BOUND_MS = 30_000;

function bodyHeaders({ body = "", headers }: HttpCall): Record<string, string> {
	const type = { "content-type": "application/json" };
	return headers?.["transfer-encoding"] === undefined ? { ...type, "content-length": String(Buffer.byteLength(body)) } : type;
}

/** A client of the bridge on node:http alone. Shares no code with the packages it tests. */
export class BareClient {
	readonly options: BareClientOptions;
	#nextId = 1;

	constructor(options: BareClientOptions) {
		this.options = options;
	}

	/** One HTTP exchange; rejects when the connection ends before the response does. */
	async http(call: HttpCall): Promise<HttpAnswer> {
		const response = await this.respond(call);
		const chunks: Buffer[] = [];
		for await (const chunk of response) chunks.push(Buffer.from(chunk));
		return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
	}

	/** The response once its headers are there; its body is the caller's. */
	respond(call: HttpCall, boundMs = CALL_BOUND_MS): Promise<IncomingMessage> {
		const { url, token, via } = this.options;
		const origin = new URL(url);
		const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
		const request = httpRequest(
			{
				host: "127.0.0.1",
				port: via ?? Number(origin.port),
				path: call.path,
				method: call.method ?? "GET",
				agent: false,
				headers: {
					host: origin.host,
					...(token === undefined || call.authorized === false ? {} : { authorization: `Bearer ${token}` }),
					...(call.body === undefined ? {} : bodyHeaders(call)),
					...call.headers,
				},
			},
			(response) => {
				clearTimeout(timer);
				resolve(response);
			},
		);
		const timer = setTimeout(() => request.destroy(new Error(`no response within ${boundMs} ms`)), boundMs);
		request.once("error", (error) => {
			clearTimeout(timer);
			reject(error);
		});
		request.end(call.body);
		return promise;
	}

	/** A JSON call. @throws RpcRefused */
	async rpc(method: string, params: unknown = {}): Promise<unknown> {
		const answer = await this.http({
			method: "POST",
			path: "/acp/rpc",
			headers: { accept: "application/json" },
			body: JSON.stringify({ jsonrpc: "2.0", id: this.#nextId++, method, params }),
		});
		const response = RpcResponse.parse(JSON.parse(answer.body.toString("utf8")));
		if (response.error !== undefined) throw new RpcRefused(response.error, answer.status);
		return response.result;
	}

	/** `xworkmate.tasks.get`. */
	async snapshot(ref: { runId: string } | { threadId: string; turnId: string }): Promise<TaskSnapshot> {
		return TaskSnapshot.parse(await this.rpc("xworkmate.tasks.get", ref));
	}

	/** A call answered by an event stream. @throws RpcRefused when it is answered with an error before the first event */
	async stream(method: string, params: unknown, options: StreamOptions = {}): Promise<EventStream> {
		const requestId = this.#nextId++;
		const response = await this.respond(
			{
				method: "POST",
				path: "/acp/rpc",
				headers: {
					accept: "application/json, text/event-stream",
					...(options.lastEventId === undefined ? {} : { "last-event-id": String(options.lastEventId) }),
				},
				body: JSON.stringify({ jsonrpc: "2.0", id: requestId, method, params }),
			},
			options.answerMs,
		);
		if (response.headers["content-type"]?.startsWith("text/event-stream")) return new EventStream(response, requestId, options);
		const chunks: Buffer[] = [];
		for await (const chunk of response) chunks.push(Buffer.from(chunk));
		const answer = RpcResponse.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
		if (answer.error === undefined) throw new Error(`${method} was answered with JSON where a stream was asked for`);
		throw new RpcRefused(answer.error, response.statusCode ?? 0);
	}
}
