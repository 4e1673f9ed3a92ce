import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { within } from "../machine/wait-until.ts";
import { createSseParser, type ServerSentEvent } from "./sse-parser.ts";
import { type Refusal, RpcNotification, RpcResponse, RunUpdate, TaskSnapshot } from "./wire.ts";

export interface StreamOptions {
	readonly lastEventId?: number;
	/** Ends the stream as dropped after so long without a byte. */
	readonly idleMs?: number;
	/** Gives up when no answer has begun after so long. */
	readonly answerMs?: number;
}

export type StreamEnd =
	| { readonly kind: "response"; readonly snapshot: TaskSnapshot }
	| { readonly kind: "refused"; readonly refusal: Refusal }
	/** Ended without the response, however clean. */
	| { readonly kind: "dropped"; readonly why: string };

const UNTIL_BOUND_MS = 20_000;

/** One answer as an event stream, read as it comes. */
export class EventStream {
	readonly updates: RunUpdate[] = [];
	heartbeats = 0;
	/** Settles once, never rejects. */
	readonly ended: Promise<StreamEnd>;
	readonly #response: IncomingMessage;
	readonly #requestId: number;
	readonly #events = new EventEmitter().setMaxListeners(100);
	#final: StreamEnd | undefined;
	#malformed: string | undefined;

	constructor(response: IncomingMessage, requestId: number, options: StreamOptions) {
		this.#response = response;
		this.#requestId = requestId;
		const { promise, resolve } = Promise.withResolvers<StreamEnd>();
		this.ended = promise;
		const parse = createSseParser();
		let idle = "closed without the response";
		if (options.idleMs !== undefined) {
			response.setTimeout(options.idleMs, () => {
				idle = `silent for ${options.idleMs} ms`;
				response.destroy();
			});
		}
		response.setEncoding("utf8");
		response.on("data", (text: string) => this.#take(() => parse(text)));
		response.on("error", (error) => {
			idle = error.message;
		});
		response.once("close", () => {
			const end: StreamEnd = this.#final ?? { kind: "dropped", why: this.#malformed ?? idle };
			resolve(end);
			this.#events.emit("change", end);
		});
	}

	/** Stops reading, so that the bridge's buffer for this reader grows. */
	pause(): void {
		this.#response.pause();
	}

	resume(): void {
		this.#response.resume();
	}

	/** Drops the connection. */
	close(): void {
		this.#response.destroy();
	}

	/** The first update, seen already or still to come, that fits; rejects when the stream ends without one. */
	async until(what: string, fits: (update: RunUpdate) => boolean, boundMs = UNTIL_BOUND_MS): Promise<RunUpdate> {
		const seen = this.updates.find(fits);
		if (seen !== undefined) return seen;
		const { promise, resolve, reject } = Promise.withResolvers<RunUpdate>();
		const look = (end?: StreamEnd) => {
			const found = this.updates.find(fits);
			if (found !== undefined) resolve(found);
			else if (end !== undefined) reject(new Error(`the stream ended (${JSON.stringify(end).slice(0, 500)}) before ${what}`));
		};
		void this.ended.then(look);
		this.#events.on("change", look);
		try {
			return await within(what, boundMs, promise);
		} finally {
			this.#events.off("change", look);
		}
	}

	/** The first update in a progress stage. */
	untilStage(stage: string, boundMs?: number): Promise<RunUpdate> {
		return this.until(`stage ${stage}`, ({ update }) => stageOf(update.progress) === stage, boundMs);
	}

	#take(read: () => readonly ServerSentEvent[]): void {
		try {
			for (const event of read()) this.#receive(event);
		} catch (error) {
			this.#malformed = `malformed: ${error instanceof Error ? error.message : String(error)}`;
			this.#response.destroy();
		}
		this.#events.emit("change");
	}

	#receive(event: ServerSentEvent): void {
		if (this.#final !== undefined) throw new Error("an event after the response");
		const message: unknown = JSON.parse(event.data);
		if (typeof message === "object" && message !== null && "method" in message) this.#notify(event, message);
		else this.#finish(event, message);
	}

	#notify(event: ServerSentEvent, message: unknown): void {
		const { method, params } = RpcNotification.parse(message);
		if (method === "session.heartbeat") {
			if (event.id !== undefined) throw new Error("a heartbeat with an id");
			this.heartbeats++;
			return;
		}
		if (method !== "session.update") throw new Error(`an unknown notification ${method}`);
		const update = RunUpdate.parse(params);
		if (event.id !== String(update.seq)) throw new Error(`id ${event.id} on the update of seq ${update.seq}`);
		this.updates.push(update);
	}

	#finish(event: ServerSentEvent, message: unknown): void {
		const response = RpcResponse.parse(message);
		if (response.id !== this.#requestId) throw new Error(`a response to ${response.id} on the stream of ${this.#requestId}`);
		if (response.error !== undefined) {
			this.#final = { kind: "refused", refusal: response.error };
			return;
		}
		const snapshot = TaskSnapshot.parse(response.result);
		if (event.id !== String(snapshot.lastSeq)) throw new Error(`id ${event.id} on the response with lastSeq ${snapshot.lastSeq}`);
		this.#final = { kind: "response", snapshot };
	}
}

function stageOf(progress: unknown): unknown {
	return typeof progress === "object" && progress !== null && "stage" in progress ? progress.stage : undefined;
}
