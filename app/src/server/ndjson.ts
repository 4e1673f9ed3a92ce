import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { toFailure } from "./failure.ts";

/** A client gives up a body that is silent for minutes; a long run may be. */
const ALIVE_MS = 15_000;

export interface LineStream {
	readonly lines: () => AsyncIterable<object>;
	/** Said when nothing else was, so that a dead connection shows. */
	readonly alive: () => object;
	readonly onError: (error: unknown) => void;
}

/** One JSON document a line; the reader sets the pace, and its leaving ends the source. */
export async function sendLines(reply: FastifyReply, { lines, alive, onError }: LineStream): Promise<void> {
	reply.hijack();
	const { raw } = reply;
	for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
	raw.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
	raw.flushHeaders();
	const write = (line: object) => raw.write(`${JSON.stringify(line)}\n`);
	const timer = setInterval(() => write(alive()), ALIVE_MS);
	const source = lines()[Symbol.asyncIterator]();
	// A source that waits for its next line does not see that the reader has gone.
	raw.once("close", () => void source.return?.());
	try {
		for (let next = await source.next(); next.done !== true; next = await source.next()) {
			if (raw.destroyed) return;
			if (!write(next.value)) await Promise.race([once(raw, "drain"), once(raw, "close")]);
		}
	} catch (error) {
		if (toFailure(error).code === "INTERNAL") onError(error);
		write({ type: "refused", failure: toFailure(error) });
	} finally {
		clearInterval(timer);
		void source.return?.();
		raw.end();
	}
}
