import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { z } from "zod";
import { TextSocket } from "./text-socket.ts";
import { APPLICATION, bot } from "./world.ts";

const Packet = z.object({ op: z.number(), d: z.unknown() });
const Identify = z.object({ token: z.string(), intents: z.number() });
const Resume = z.object({ token: z.string(), session_id: z.string(), seq: z.number() });
const MESSAGE_CONTENT = 1 << 15;

export interface GatewayRules {
	readonly token: string;
	/** The portal has not turned it on, so asking for it is refused. */
	isIntentOff: boolean;
	/** A session cannot be taken up again, as after a long time. */
	forgetsSessions: boolean;
}

/** The gateway: one bot, one session that can be resumed. */
export class Gateway {
	readonly #rules: GatewayRules;
	readonly #sockets = new Set<TextSocket>();
	/** Events of the session, with their numbers. */
	#told: { readonly s: number; readonly t: string; readonly d: unknown }[] = [];
	#session = 0;
	#last = 0;
	/** What clients did: identify, resume. */
	readonly log: string[] = [];

	constructor(rules: GatewayRules) {
		this.#rules = rules;
	}

	get isConnected(): boolean {
		return this.#sockets.size > 0;
	}

	accept(request: IncomingMessage, stream: Duplex, origin: string): void {
		const socket = new TextSocket(request, stream);
		socket.onText = (text) => this.#hear(socket, Packet.parse(JSON.parse(text)), origin);
		socket.onEnd = () => void this.#sockets.delete(socket);
		socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 1_000 } }));
	}

	/** Tells an event, also to a client that comes back later. */
	tell(t: string, d: unknown): void {
		const event = { s: ++this.#last, t, d };
		this.#told.push(event);
		for (const socket of this.#sockets) socket.send(JSON.stringify({ op: 0, ...event }));
	}

	/** Tells the events of the session once more, with their old numbers. */
	replay(): void {
		for (const event of this.#told) for (const socket of this.#sockets) socket.send(JSON.stringify({ op: 0, ...event }));
	}

	close(code: number): void {
		for (const socket of this.#sockets) socket.close(code);
		this.#sockets.clear();
	}

	cut(): void {
		for (const socket of this.#sockets) socket.cut();
		this.#sockets.clear();
	}

	#hear(socket: TextSocket, { op, d }: z.infer<typeof Packet>, origin: string): void {
		if (op === 1) socket.send(JSON.stringify({ op: 11 }));
		else if (op === 2) this.#identify(socket, Identify.parse(d), origin);
		else if (op === 6) this.#resume(socket, Resume.parse(d));
	}

	#identify(socket: TextSocket, { token, intents }: z.infer<typeof Identify>, origin: string): void {
		this.log.push("identify");
		const isIntentMissing = this.#rules.isIntentOff && (intents & MESSAGE_CONTENT) !== 0;
		if (token !== this.#rules.token || isIntentMissing) {
			socket.close(isIntentMissing ? 4014 : 4004);
			return;
		}
		this.#sockets.add(socket);
		this.#session++;
		this.#last = 1;
		this.#told = [];
		const d = {
			v: 10,
			user: bot,
			guilds: [],
			session_id: `session-${this.#session}`,
			resume_gateway_url: `${origin}/gateway`,
			application: { id: APPLICATION, flags: 0 },
			shard: [0, 1],
		};
		socket.send(JSON.stringify({ op: 0, s: 1, t: "READY", d }));
	}

	#resume(socket: TextSocket, { token, session_id: id, seq }: z.infer<typeof Resume>): void {
		this.log.push("resume");
		if (this.#rules.forgetsSessions || token !== this.#rules.token || id !== `session-${this.#session}`) {
			socket.send(JSON.stringify({ op: 9, d: false }));
			return;
		}
		this.#sockets.add(socket);
		for (const event of this.#told) if (event.s > seq) socket.send(JSON.stringify({ op: 0, ...event }));
		socket.send(JSON.stringify({ op: 0, s: ++this.#last, t: "RESUMED", d: {} }));
	}
}
