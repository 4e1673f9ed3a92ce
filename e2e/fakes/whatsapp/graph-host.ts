import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { GraphRefusal } from "./errors.ts";
import type { GraphFault } from "./graph-fault.ts";
import type { Webhooks } from "./webhooks.ts";
import type { WhatsAppWorld } from "./whatsapp-world.ts";

/** One thing that happened. `body`: bytes of the request's body that had come by then. */
export interface GraphEvent {
	/** 1 for the first. */
	readonly connection: number;
	readonly event: "connect" | "number" | "media" | "messages" | "templates" | "read" | "accepted" | "refused" | "fault" | "close";
	readonly body: number;
	readonly detail?: string;
}

interface Visit {
	readonly connection: number;
	readonly response: ServerResponse;
	readonly request: IncomingMessage;
	body: Buffer;
}

const PATH = /^\/v\d{1,3}\.\d{1,2}\/(\d+)(?:\/(messages|media|message_templates))?$/;

/** The Graph API as far as WhatsApp needs it. It goes wrong as it is told. */
export class GraphHost {
	readonly faults: GraphFault[] = [];
	readonly journal: GraphEvent[] = [];
	readonly server: Server;
	readonly #world: WhatsAppWorld;
	readonly #webhooks: Webhooks;
	readonly #connections = new WeakMap<object, number>();
	/** Nothing that comes over these connections is heard. */
	readonly #deaf = new WeakSet<object>();
	#count = 0;

	constructor(world: WhatsAppWorld, webhooks: Webhooks) {
		this.#world = world;
		this.#webhooks = webhooks;
		this.server = createServer((request, response) => void this.#serve(request, response));
		this.server.on("connection", (socket) => {
			const connection = ++this.#count;
			this.#connections.set(socket, connection);
			this.journal.push({ connection, event: "connect", body: 0 });
			socket.on("error", () => undefined).once("close", () => this.journal.push({ connection, event: "close", body: 0 }));
			const fault = this.#take("connect");
			if (fault === undefined) return;
			this.journal.push({ connection, event: "fault", body: 0, detail: `${fault.kind} at connect` });
			if (fault.kind === "cut") socket.resetAndDestroy();
			else this.#deaf.add(socket);
		});
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (this.#deaf.has(request.socket)) return;
		const visit: Visit = { connection: this.#connections.get(request.socket) ?? 0, request, response, body: Buffer.alloc(0) };
		const [, id = "", edge] = PATH.exec(new URL(request.url ?? "/", "http://graph").pathname) ?? [];
		const on = edge === "message_templates" ? "templates" : edge === "messages" || edge === "media" ? edge : "number";
		this.#note(visit, on);
		try {
			for await (const part of request) {
				visit.body = Buffer.concat([visit.body, part]);
				if (this.#goesWrong("body", on, visit)) return;
			}
			this.#note(visit, "read");
			if (this.#goesWrong("read", on, visit)) return;
			this.#authorize(request, id);
			await this.#answer(on, visit);
		} catch (error) {
			if (!(error instanceof GraphRefusal)) return void response.destroy();
			this.#note(visit, "refused", error.message);
			response.writeHead(error.status, { "content-type": "application/json" }).end(error.body);
		}
	}

	async #answer(on: GraphEvent["event"], visit: Visit): Promise<void> {
		const { response, request, body } = visit;
		const json = (value: unknown) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
		if (on === "media") {
			json({ id: await this.#world.upload(request.headers["content-type"] ?? "", body) });
		} else if (on === "templates") {
			json({ data: this.#world.templates.map(({ body: text, ...rest }) => ({ ...rest, components: [{ type: "BODY", text }] })) });
		} else if (on === "number") {
			json({ id: this.#world.phoneNumberId, display_phone_number: "+1 555-078-3881", verified_name: "Test Number" });
		} else {
			const { id, to } = this.#world.accept(body);
			this.#note(visit, "accepted", id);
			if (this.#goesWrong("stored", on, visit)) return;
			const answer = { messaging_product: "whatsapp", contacts: [{ input: `+${to}`, wa_id: to }], messages: [{ id }] };
			const inAnswer = this.#take("answer", on);
			if (inAnswer !== undefined) return this.#breakAnswer(JSON.stringify(answer), inAnswer, visit);
			json(answer);
			await this.#webhooks.automatically(id);
		}
	}

	#breakAnswer(answer: string, fault: GraphFault, visit: Visit): void {
		const { response, request } = visit;
		this.#note(visit, "fault", `${fault.kind} in the answer`);
		response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
		response.write(answer.slice(0, answer.length / 2), () => fault.kind === "cut" && request.socket.resetAndDestroy());
	}

	/** @throws GraphRefusal */
	#authorize({ headers }: IncomingMessage, id: string): void {
		if (headers.authorization !== `Bearer ${this.#world.accessToken}`) throw new GraphRefusal(190);
		if (id !== this.#world.phoneNumberId && id !== this.#world.businessAccountId)
			throw new GraphRefusal(100, `Object with ID '${id}' does not exist, cannot be loaded due to missing permissions.`, 33);
	}

	/** Whether a fault has taken over: the answer is its own, or there is none. */
	#goesWrong(stage: GraphFault["stage"], on: GraphEvent["event"], visit: Visit): boolean {
		const fault = this.#take(stage, on);
		if (fault === undefined) return false;
		this.#note(visit, "fault", `${fault.kind} at ${stage}`);
		const { response, request } = visit;
		if (fault.kind === "cut") request.socket.resetAndDestroy();
		if (fault.kind === "reply") response.writeHead(fault.status ?? 502, fault.headers).end(fault.body);
		if (fault.kind === "error") {
			const { status, body } = new GraphRefusal(fault.code, fault.details, fault.subcode);
			response.writeHead(fault.status ?? status, { "content-type": "application/json", ...fault.headers }).end(body);
		}
		if (fault.kind === "huge") response.writeHead(200).end("x".repeat(20_000_000));
		return true;
	}

	#take(stage: GraphFault["stage"], on?: string): GraphFault | undefined {
		const index = this.faults.findIndex((one) => one.stage === stage && (on === undefined || one.on === on));
		const fault = this.faults[index];
		if (fault === undefined) return undefined;
		this.faults.splice(index, 1, ...(fault.times === 1 ? [] : [{ ...fault, times: fault.times - 1 }]));
		return fault;
	}

	#note({ connection, body }: Visit, event: GraphEvent["event"], detail?: string): void {
		this.journal.push({ connection, event, body: body.length, ...(detail !== undefined && { detail }) });
	}
}
