import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { toFailure } from "../errors/failure.ts";

/** The pause between keep-alive lines. A browser may give up on a response that sends nothing for minutes, as a long run's may. */
const ALIVE_MS = 5_000;

export interface LineStream {
	/** May throw when called or while it is read. The error is then sent as the last line. */
	readonly lines: () => AsyncIterable<object>;
	/** Creates a keep-alive line. One is sent regularly, so that a dead connection is noticed. */
	readonly alive: () => object;
	readonly onError: (error: unknown) => void;
	/** Milliseconds between two keep-alive lines. */
	readonly aliveMs?: number;
}

/**
 * The pauses, in milliseconds, before the keep-alive lines that push a line out of WebKit. The first is too short for a user to notice; the
 * others follow because a keep-alive line that is sent too early is also held back.
 */
const NUDGES_MS = [60, 300, 1_000, 3_000];
/** Matches WebKit, the engine of Safari and of the app's own window, but not Chromium, which also calls itself AppleWebKit. */
const WEBKIT = /AppleWebKit(?!.*(?:Chrom|Edg))/;

/** Sends one JSON document per line, as fast as the reader takes them. When the reader disconnects, the source is ended. */
export async function sendLines(reply: FastifyReply, { lines, alive, onError, aliveMs = ALIVE_MS }: LineStream): Promise<void> {
	reply.hijack();
	const { raw } = reply;
	for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
	raw.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
	raw.flushHeaders();
	// Nothing is written once the reader has disconnected, because the write would fail silently.
	const put = (line: object) => raw.destroyed || raw.write(`${JSON.stringify(line)}\n`);
	// WebKit holds back the last chunk until more data arrives, so keep-alive lines are sent soon after it.
	const holdsBack = WEBKIT.test(reply.request.headers["user-agent"] ?? "");
	let nudging: NodeJS.Timeout | undefined;
	const nudge = ([pause, ...more]: readonly number[]) => {
		clearTimeout(nudging);
		if (pause === undefined || raw.destroyed) return;
		nudging = setTimeout(() => {
			if (!raw.writableNeedDrain) put(alive());
			nudge(more);
		}, pause);
	};
	const write = (line: object) => {
		if (holdsBack) nudge(NUDGES_MS);
		return put(line);
	};
	// A client that is not reading is sent no keep-alive lines, because they would have to be buffered.
	const timer = setInterval(() => raw.writableNeedDrain || put(alive()), aliveMs);
	let source: AsyncIterator<object> | undefined;
	// A source that is waiting for its next line would not notice that the reader has disconnected.
	raw.once("close", () => void source?.return?.());
	try {
		source = lines()[Symbol.asyncIterator]();
		for (let next = await source.next(); next.done !== true; next = await source.next()) {
			if (raw.destroyed) return;
			if (!write(next.value)) await drained(raw);
		}
	} catch (error) {
		if (toFailure(error).code === "INTERNAL") onError(error);
		write({ type: "refused", failure: toFailure(error) });
	} finally {
		clearInterval(timer);
		clearTimeout(nudging);
		void source?.return?.();
		raw.end();
	}
}

/** Settles when everything written has left the buffer, or the reader has disconnected. */
async function drained(raw: ServerResponse): Promise<void> {
	const over = new AbortController();
	try {
		await Promise.race([once(raw, "drain", over), once(raw, "close", over)]);
	} finally {
		over.abort();
	}
}
