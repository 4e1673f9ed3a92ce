import type { Readable, Writable } from "node:stream";
import type { AnyMessage, AnyRequest, AnyResponse, ErrorResponse } from "@agentclientprotocol/sdk";
import { formatBytes } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import { errorMessage } from "@xworkmate/platform/errors";
import { measureJson } from "../../../json/measure-json.ts";
import type { AcpBounds } from "./acp-bounds.ts";
import { RequestError, WireError } from "./agent-failure.ts";
import { LineSplitter } from "./line-splitter.ts";
import { parseMessage } from "./parse-message.ts";

/** Why a message is refused. A refused message ends the agent, because dropping an answer would leave its caller waiting. */
const TOO = {
	deep: "nested too deeply",
	many: "too large: it has too many fields and elements",
	long: "too large: a string in it is too long",
};
const SESSION_UPDATE = "session/update";
const INTERNAL_ERROR = -32_603;

export interface WireOptions {
	readonly bounds: Pick<AcpBounds, "lineBytes" | "message" | "garbageBytes" | "openRequests">;
	/** Called before each message. Nothing more is read until the promise has settled, which slows the agent down. */
	readonly ready: () => Promise<void> | undefined;
	/** The params of a session/update, in order with everything else on the wire. */
	readonly onUpdate: (params: unknown) => void;
	/**
	 * Answers a request from the agent.
	 * @throws RequestError, which becomes the answer
	 */
	readonly onRequest: (method: string, params: unknown) => Promise<unknown>;
	/** Called with a line that is not a message. */
	readonly onGarbage: (line: Buffer) => void;
	/** Called with an answer that is ignored: its request has been answered already, or the bridge never made it. */
	readonly onIgnoredAnswer: (why: IgnoredAnswer) => void;
}

export type IgnoredAnswer = "repeated" | "unasked";

interface Waiting {
	resolve(result: unknown): void;
	reject(error: unknown): void;
}

/**
 * JSON-RPC over an agent's pipes, one message per line. Nothing is read faster than it is consumed, lines that are not messages are counted
 * and limited, and everything is handled in the order of the wire. The SDK's connection does none of the three
 * (docs/decisions/0057-the-agents-pipe.md).
 */
export class AgentWire {
	/** Settles when nothing more can be sent or received. */
	readonly closed: Promise<void>;
	readonly #input: Writable;
	readonly #output: Readable;
	readonly #options: WireOptions;
	readonly #lines: LineSplitter;
	/** Set when there may be more to read. */
	readonly #arrived = new AutoResetEvent();
	/** Set when a request from the agent has been answered. */
	readonly #answered = new AutoResetEvent();
	readonly #asked = new Map<unknown, Waiting>();
	readonly #settleClosed: () => void;
	#lastId = 0;
	#unanswered = 0;
	#end: { readonly reason: unknown } | undefined;

	constructor(input: Writable, output: Readable, options: WireOptions) {
		this.#input = input;
		this.#output = output;
		this.#options = options;
		this.#lines = new LineSplitter(options.bounds.lineBytes);
		const { promise, resolve } = Promise.withResolvers<void>();
		this.closed = promise;
		this.#settleClosed = resolve;
		for (const event of ["readable", "end", "close"]) output.on(event, () => this.#arrived.set());
		output.on("error", (error) => this.close(error));
		this.#read().then(
			() => this.close(),
			(error: unknown) => this.close(error),
		);
	}

	get isClosed(): boolean {
		return this.#end !== undefined;
	}

	/** Why the wire was closed; undefined while it is open. */
	get reason(): unknown {
		return this.#end?.reason;
	}

	/**
	 * Sends a request.
	 * @throws RequestError if the agent answers with an error; otherwise the reason why the wire was closed
	 */
	request(method: string, params: object): Promise<unknown> {
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		if (this.#end === undefined) {
			const id = ++this.#lastId;
			this.#asked.set(id, { resolve, reject });
			this.#send({ jsonrpc: "2.0", id, method, params });
		} else reject(this.#end.reason);
		return promise;
	}

	/** Sends a notification, which is dropped if the wire is closed. */
	notify(method: string, params: object): void {
		if (this.#end === undefined) this.#send({ jsonrpc: "2.0", method, params });
	}

	/** Rejects the open requests, and stops reading. */
	close(reason: unknown = new Error("the connection to the agent was closed")): void {
		if (this.#end !== undefined) return;
		this.#end = { reason };
		this.#arrived.close();
		this.#answered.close();
		for (const { reject } of this.#asked.values()) reject(reason);
		this.#asked.clear();
		this.#output.destroy();
		this.#settleClosed();
	}

	async #read(): Promise<void> {
		const { bounds, ready, onGarbage, onIgnoredAnswer } = this.#options;
		let garbage = 0;
		const kinds = new Set<string>();
		for (let line = await this.#nextLine(); line !== undefined; line = this.#lines.next() ?? (await this.#nextLine())) {
			const excess = measureJson(line, bounds.message);
			if (excess !== undefined) throw new WireError(`it wrote a message that is ${TOO[excess]}`);
			const message = parseMessage(line);
			const ignored = message && this.#whyIgnored(message);
			if (message === undefined || ignored !== undefined) {
				if (ignored === undefined) onGarbage(line);
				else onIgnoredAnswer(ignored);
				garbage += line.length + 1;
				kinds.add(ignored === undefined ? "of output that is not protocol messages" : "of responses that match no open request");
				if (garbage <= bounds.garbageBytes) continue;
				throw new WireError(`it wrote ${formatBytes(garbage)} ${[...kinds].join(", and ")}`);
			}
			garbage = 0;
			kinds.clear();
			if ("method" in message && "id" in message) await this.#room();
			const pause = ready();
			if (pause !== undefined) await pause;
			if (this.isClosed) return;
			this.#take(message);
		}
	}

	/** The next line; undefined after the last one, which may lack a line ending. */
	async #nextLine(): Promise<Buffer | undefined> {
		while (!this.isClosed) {
			const line = this.#lines.next();
			if (line !== undefined) return line;
			const chunk: Buffer | null = this.#output.read();
			if (chunk !== null) this.#lines.push(chunk);
			else if (this.#output.readableEnded || this.#output.destroyed) return this.#lines.last();
			else await this.#arrived.wait();
		}
		return undefined;
	}

	/** Why an answer is ignored: it has no open request. Undefined for any other message. The ids of requests are counted from 1. */
	#whyIgnored(message: AnyMessage): IgnoredAnswer | undefined {
		if ("method" in message || this.#asked.has(message.id)) return undefined;
		const { id } = message;
		return typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= this.#lastId ? "repeated" : "unasked";
	}

	/** Settles when another request from the agent is allowed, or the connection has closed. */
	async #room(): Promise<void> {
		while (this.#unanswered >= this.#options.bounds.openRequests && !this.isClosed) await this.#answered.wait();
	}

	#take(message: AnyMessage): void {
		if (!("method" in message)) this.#settle(message);
		else if ("id" in message) this.#answer(message);
		else if (message.method === SESSION_UPDATE) this.#options.onUpdate(message.params);
	}

	#settle(answer: AnyResponse): void {
		const waiting = this.#asked.get(answer.id);
		this.#asked.delete(answer.id);
		if ("error" in answer) waiting?.reject(new RequestError(answer.error));
		else waiting?.resolve(answer.result);
	}

	#answer({ id, method, params }: AnyRequest): void {
		this.#unanswered++;
		this.#options.onRequest(method, params).then(
			(result) => this.#reply({ jsonrpc: "2.0", id, result }),
			(error: unknown) => this.#reply({ jsonrpc: "2.0", id, error: toAnswer(error) }),
		);
	}

	/**
	 * Answers a request, which counts as open until the answer has been written. An agent that does not read its answers can therefore make
	 * only `openRequests` requests.
	 */
	#reply(answer: AnyResponse): void {
		if (this.isClosed) return;
		this.#send(answer, () => {
			this.#unanswered--;
			this.#answered.set();
		});
	}

	#send(message: AnyMessage, onSent = () => {}): void {
		this.#input.write(`${JSON.stringify(message)}\n`, (error) => {
			if (error) this.close(error);
			else onSent();
		});
	}
}

function toAnswer(error: unknown): ErrorResponse {
	if (error instanceof RequestError) return { code: error.code, message: error.message, data: error.data };
	return { code: INTERNAL_ERROR, message: "Internal error", data: { details: errorMessage(error) } };
}
