import type { Readable, Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { measureJson } from "../../../json/measure-json.ts";
import type { AcpBounds } from "./acp-bounds.ts";
import { WireError } from "./agent-failure.ts";

const LINE_FEED = 0x0a;
/** Such a message ends the agent, because dropping an answer would leave its caller waiting. */
const TOO = { deep: "nested too deeply", many: "too large: it has too many fields and elements" };
const SESSION_UPDATE = "session/update";

export interface WireOptions {
	readonly bounds: Pick<AcpBounds, "lineBytes" | "message" | "garbageBytes" | "openRequests">;
	/** Awaited before each message is passed on; this is the reader's back-pressure. */
	readonly ready: () => Promise<void>;
	/** The params of a session/update, in order with everything else on the wire. */
	readonly onUpdate: (params: unknown) => void;
	/** A line that is not a message. */
	readonly onGarbage: (line: Buffer) => void;
}

/**
 * The SDK's message stream over an agent's pipes. The SDK's own `ndJsonStream` reads as fast as the agent writes, answers garbage, and logs
 * stray messages to this process's stderr; here, what is not consumed is not read, and what is not a message is counted and limited.
 * Updates bypass the SDK: its client validates each against a closed union, drops unknown kinds, and lets answers overtake the rest.
 */
export function openWire(input: Writable, output: Readable, options: WireOptions): Stream {
	const exchange = new Exchange(options.bounds.openRequests);
	return {
		readable: ReadableStream.from(readMessages(output, options, exchange)),
		writable: new WritableStream<AnyMessage>({
			write: (message) => {
				exchange.sent(message);
				return writeLine(input, `${JSON.stringify(message)}\n`);
			},
		}),
	};
}

/** Tracks the open requests in each direction. */
class Exchange {
	readonly #limit: number;
	readonly #asked = new Set<unknown>();
	#unanswered = 0;
	#room = Promise.withResolvers<void>();

	constructor(limit: number) {
		this.#limit = limit;
	}

	sent(message: AnyMessage): void {
		if (!("id" in message)) return;
		if ("method" in message) {
			this.#asked.add(message.id);
			return;
		}
		this.#unanswered--;
		this.#room.resolve();
	}

	/** False for an answer without an open request. */
	async accepts(message: AnyMessage): Promise<boolean> {
		if (!("id" in message)) return true;
		if (!("method" in message)) return this.#asked.delete(message.id);
		while (this.#unanswered >= this.#limit) {
			this.#room = Promise.withResolvers<void>();
			await this.#room.promise;
		}
		this.#unanswered++;
		return true;
	}
}

async function* readMessages(output: Readable, options: WireOptions, exchange: Exchange): AsyncGenerator<AnyMessage> {
	let garbage = 0;
	for await (const line of readLines(output, options.bounds.lineBytes)) {
		const excess = measureJson(line, options.bounds.message);
		if (excess !== undefined) throw new WireError(`it wrote a message that is ${TOO[excess]}`);
		const message = parseMessage(line);
		if (message === undefined || !(await exchange.accepts(message))) {
			options.onGarbage(line);
			garbage += line.length + 1;
			if (garbage > options.bounds.garbageBytes) {
				throw new WireError(`it wrote ${garbage} bytes to stdout that are not a message of the protocol`);
			}
			continue;
		}
		garbage = 0;
		await options.ready();
		if ("method" in message && message.method === SESSION_UPDATE && !("id" in message)) options.onUpdate(message.params);
		else yield message;
	}
}

/** Lines without their line end; the last one may lack it. @throws WireError for a line that is too long */
export async function* readLines(output: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
	let parts: Buffer[] = [];
	let length = 0;
	const take = (tail: Buffer): Buffer => {
		const line = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
		parts = [];
		length = 0;
		return line;
	};
	for await (const chunk of output) {
		let start = 0;
		for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
			if (length + end - start > limit) throw tooLong(limit);
			yield take(chunk.subarray(start, end));
			start = end + 1;
		}
		if (start === chunk.length) continue;
		parts.push(chunk.subarray(start));
		length += chunk.length - start;
		if (length > limit) throw tooLong(limit);
	}
	if (length > 0) yield take(Buffer.alloc(0));
}

function tooLong(limit: number): WireError {
	return new WireError(`it wrote a line of more than ${limit} bytes to stdout`);
}

/** Undefined for anything but a JSON-RPC 2.0 message, including a blank line. */
export function parseMessage(line: Buffer): AnyMessage | undefined {
	let value: unknown;
	try {
		value = JSON.parse(line.toString("utf8"));
	} catch {
		return undefined;
	}
	return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is AnyMessage {
	if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0") return false;
	const hasId = "id" in value && (typeof value.id === "string" || typeof value.id === "number");
	if ("method" in value) return typeof value.method === "string" && (hasId || !("id" in value));
	if (!hasId) return false;
	if ("error" in value) return isErrorObject(value.error) && !("result" in value);
	return "result" in value;
}

function isErrorObject(value: unknown): boolean {
	return (
		typeof value === "object" &&
		value !== null &&
		"code" in value &&
		typeof value.code === "number" &&
		"message" in value &&
		typeof value.message === "string"
	);
}

function writeLine(input: Writable, line: string): Promise<void> {
	return new Promise((resolve, reject) => {
		input.write(line, (error) => {
			if (error) reject(error);
			else resolve();
		});
	});
}
