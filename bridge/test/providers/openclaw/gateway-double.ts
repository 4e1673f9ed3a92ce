import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";

const Request = z.object({ type: z.literal("req"), id: z.string(), method: z.string(), params: z.record(z.string(), z.unknown()) });
type Request = z.infer<typeof Request>;

/** What the double does with a request; undefined = says nothing. */
export type Respond = (request: Request, connection: number) => { readonly payload: unknown } | { readonly error: unknown } | undefined;

const nonce = "nonce-of-the-double";

/** Speaks the gateway's frames over a real socket, for what a real gateway cannot be made to do. */
export class GatewayDouble implements AsyncDisposable {
	readonly requests: Request[] = [];
	readonly #server: WebSocketServer;
	readonly #respond: Respond;
	readonly #events = new EventEmitter();
	#connections = 0;

	private constructor(server: WebSocketServer, respond: Respond) {
		this.#server = server;
		this.#respond = respond;
		server.on("connection", (socket) => this.#serve(socket, ++this.#connections));
	}

	static async start(respond: Respond): Promise<GatewayDouble> {
		const server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: false });
		const double = new GatewayDouble(server, respond);
		await once(server, "listening");
		return double;
	}

	get url(): string {
		const address = this.#server.address() as AddressInfo;
		return `ws://127.0.0.1:${address.port}`;
	}

	get connections(): number {
		return this.#connections;
	}

	/** Settles with the next connection. */
	async connection(): Promise<void> {
		await once(this.#events, "connection");
	}

	/** To every client. */
	say(text: string): void {
		for (const client of this.#server.clients) client.send(text);
	}

	event(event: string, payload: unknown): void {
		this.say(JSON.stringify({ type: "event", event, payload }));
	}

	/** Cuts every connection without a word. */
	cut(): void {
		for (const client of this.#server.clients) client.terminate();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.cut();
		this.#server.close();
		await once(this.#server, "close");
	}

	#serve(socket: WebSocket, connection: number): void {
		this.#events.emit("connection");
		socket.on("message", (data) => {
			const request = Request.parse(JSON.parse(String(data)));
			this.requests.push(request);
			const answer = this.#respond(request, connection);
			if (answer === undefined) return;
			socket.send(JSON.stringify({ type: "res", id: request.id, ok: "payload" in answer, ...answer }));
		});
		socket.send(JSON.stringify({ type: "event", event: "connect.challenge", payload: { nonce, ts: 1 } }));
	}
}

/** A hello of protocol 4. */
export function hello(more: { readonly bootId?: string; readonly tickIntervalMs?: number } = {}) {
	const { bootId = "boot-1", tickIntervalMs = 30_000 } = more;
	return {
		payload: {
			type: "hello-ok",
			protocol: 4,
			server: { version: "2026.9.6", bootId, connId: "c" },
			features: { methods: ["chat.send"], events: [] },
			snapshot: {},
			policy: { maxPayload: 1_000_000, maxBufferedBytes: 1, tickIntervalMs },
		},
	};
}

/** The gateway's answer while it starts. */
export const starting = {
	error: { code: "UNAVAILABLE", message: "gateway starting", retryable: true, retryAfterMs: 5, details: { reason: "startup-sidecars" } },
};
