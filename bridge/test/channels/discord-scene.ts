import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ActionId, OccurrenceId, PlanId } from "@xworkmate/contracts";
import { DiscordChannel } from "../../src/channels/discord/discord-channel.ts";
import type { Settings } from "../../src/channels/set-up/channel-kind.ts";
import type { Built, Message, SendOutcome } from "../../src/ports/channels/channel.ts";

export const TOKEN = "a.bots.token-that-nobody-may-see";
export const ME = "100";
export const AT = Date.UTC(2026, 3, 1, 8);

export interface Asked {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: Buffer;
	/** Counted from 1. */
	readonly connection: number;
}

type Answer = (asked: Asked, response: ServerResponse, socket: Socket) => void;

/** A server in Discord's place that answers as a test says, and a channel that sends to it. */
export class DiscordScene implements AsyncDisposable {
	readonly asked: Asked[] = [];
	readonly channel: DiscordChannel;
	readonly stored: { settings: Settings } = { settings: {} };
	/** How posts are answered. */
	onPost: Answer = (_, response) => void json(response, 200, { id: "77" });
	/** How everything else is answered, by method and path; without it, as Discord does. */
	readonly answers = new Map<string, Answer>();
	/** Discord's own clock. */
	clock = AT;
	readonly #server: Server;
	#connections = 0;

	private constructor(server: Server, idleMs: number) {
		this.#server = server;
		const { port } = server.address() as AddressInfo;
		const numbers = new WeakMap<Socket, number>();
		server.on("connection", (socket) => numbers.set(socket, ++this.#connections));
		server.on("request", (request: IncomingMessage, response: ServerResponse) => {
			const chunks: Buffer[] = [];
			request.on("data", (chunk: Buffer) => chunks.push(chunk));
			request.on("end", () => {
				const { method = "", url = "", headers, socket } = request;
				const body = Buffer.concat(chunks);
				const asked = { method, path: url.replace(/^\/api\/v10/, ""), headers, body, connection: numbers.get(socket) ?? 0 };
				this.asked.push(asked);
				this.#answer(asked, response, socket);
			});
		});
		this.channel = new DiscordChannel({
			bot: { token: TOKEN, apiUrl: `http://127.0.0.1:${port}/api` },
			read: () => ({ kind: "stored", stored: { ...this.stored, secrets: {} } }),
			lint: () => [],
			clock: { now: () => AT },
			limits: { connectMs: 5_000, idleMs },
		});
	}

	/** @param idleMs how long the channel waits for a silent server */
	static async open(idleMs = 10_000): Promise<DiscordScene> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
		return new DiscordScene(server, idleMs);
	}

	get posts(): readonly Asked[] {
		return this.asked.filter(({ path }) => path.endsWith("/messages"));
	}

	/** No one listens any more. */
	async close(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
		this.#server.closeAllConnections();
		await closed;
	}

	built(message: Partial<Message> = {}): Promise<Built> {
		return this.channel.render({ ...aPost, ...message });
	}

	/** Sends a message, and says how often it was handed over. */
	async send(
		message: Partial<Message> = {},
		signal: AbortSignal = new AbortController().signal,
	): Promise<SendOutcome & { handedOver: number }> {
		const { payload } = await this.built(message);
		let handedOver = 0;
		const handOver = async () => {
			handedOver += 1;
		};
		return { ...(await this.channel.send(payload, handOver, signal)), handedOver };
	}

	#answer(asked: Asked, response: ServerResponse, socket: Socket): void {
		const { method, path } = asked;
		const own = this.answers.get(`${method} ${path.split("?", 1)[0]}`);
		if (own !== undefined) return void own(asked, response, socket);
		if (path === "/users/@me") return void json(response, 200, { id: ME }, { date: new Date(this.clock).toUTCString() });
		if (path === "/users/@me/channels") return void json(response, 200, { id: "310" });
		if (method === "POST" && path.endsWith("/messages")) return void this.onPost(asked, response, socket);
		json(response, 404, { message: "404: Not Found", code: 0 });
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (this.#server.listening) await this.close();
	}
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
	response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export const aPost: Message = {
	actionId: ActionId.parse("plan1-1-1"),
	planId: PlanId.parse("plan1"),
	occurrenceId: OccurrenceId.parse("plan1-1"),
	title: "Beaches in Bali",
	text: "**Beaches**: Sanur, Nusa Dua. Grüße 家",
	address: "user:200",
	name: "Mira",
	files: [],
	at: "2026-04-01T08:00:00.000Z",
};
