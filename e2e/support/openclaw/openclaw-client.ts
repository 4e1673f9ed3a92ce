import { z } from "zod";
import { within } from "../machine/wait-until.ts";

const Frame = z.discriminatedUnion("type", [
	z.looseObject({ type: z.literal("event"), event: z.string(), payload: z.unknown().optional() }),
	z.looseObject({
		type: z.literal("res"),
		id: z.string(),
		ok: z.boolean(),
		payload: z.unknown().optional(),
		error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
	}),
]);

export interface GatewayEvent {
	readonly event: string;
	readonly payload: unknown;
}

/** A refusal in the gateway's own words. */
export class GatewayRefused extends Error {
	override readonly name = "GatewayRefused";
	readonly error: Readonly<Record<string, unknown>>;
	constructor(method: string, error: Readonly<Record<string, unknown>>) {
		super(`${method}: ${JSON.stringify(error)}`);
		this.error = error;
	}
}

const CALL_BOUND_MS = 30_000;

/** A foreign operator on the gateway: sees every event that any connection sees. Shares no code with the bridge. */
export class GatewayClient implements Disposable {
	/** In the order received. */
	readonly events: GatewayEvent[] = [];
	readonly #socket: WebSocket;
	readonly #pending = new Map<string, { method: string; resolve: (payload: unknown) => void; reject: (error: Error) => void }>();
	#count = 0;

	constructor(socket: WebSocket) {
		this.#socket = socket;
		socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
		socket.addEventListener("close", ({ code, reason }) => this.#end(`closed ${code} ${reason}`));
	}

	request(method: string, params: unknown, boundMs = CALL_BOUND_MS): Promise<unknown> {
		const id = `r${++this.#count}`;
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		this.#pending.set(id, { method, resolve, reject });
		this.#socket.send(JSON.stringify({ type: "req", id, method, params }));
		return within(`the answer to ${method}`, boundMs, promise).finally(() => this.#pending.delete(id));
	}

	/** Takes the first message as the challenge, then connects. */
	async introduce(token: string): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#socket.addEventListener("message", () => resolve(), { once: true });
		this.#socket.addEventListener("close", () => resolve(), { once: true });
		await within("the gateway's challenge", CALL_BOUND_MS, promise);
		await this.request("connect", {
			minProtocol: 4,
			maxProtocol: 4,
			client: { id: "gateway-client", version: "0.0.1", platform: "linux", mode: "backend" },
			role: "operator",
			scopes: ["operator.read", "operator.write", "operator.admin"],
			caps: ["tool-events"],
			auth: { token },
		});
	}

	[Symbol.dispose](): void {
		this.#socket.close();
	}

	#receive(text: string): void {
		const frame = Frame.parse(JSON.parse(text));
		if (frame.type === "event") {
			this.events.push({ event: frame.event, payload: frame.payload });
			return;
		}
		const call = this.#pending.get(frame.id);
		if (frame.ok) call?.resolve(frame.payload);
		else call?.reject(new GatewayRefused(call.method, frame.error ?? {}));
	}

	#end(why: string): void {
		for (const { method, reject } of this.#pending.values()) reject(new Error(`${method}: ${why}`));
	}
}

/** Connects once. @throws while the gateway is not there or not ready */
export async function connectGateway(url: string, token: string): Promise<GatewayClient> {
	const socket = new WebSocket(url);
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	socket.addEventListener("error", () => reject(new Error(`no gateway at ${url}`)));
	const client = new GatewayClient(socket);
	socket.addEventListener("open", () => resolve());
	try {
		const introduced = promise.then(() => client.introduce(token));
		await within("the gateway's hello", CALL_BOUND_MS, introduced);
		return client;
	} catch (error) {
		socket.close();
		throw error;
	}
}
