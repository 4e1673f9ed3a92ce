import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { toFailure } from "../errors/failure.ts";

/** A client gives up a body that is silent for minutes; a long run may be. */
const ALIVE_MS = 15_000;

export interface LineStream {
	/** May throw: then the refusal is the only line. */
	readonly lines: () => AsyncIterable<object>;
	/** Said when nothing else was, so that a dead connection shows. */
	readonly alive: () => object;
	readonly onError: (error: unknown) => void;
	/** Milliseconds between two signs of life. */
	readonly aliveMs?: number;
}

/** Pauses in milliseconds: the first is too short to notice; further ones because data sent too early is held back as well. */
const NUDGES_MS = [60, 300, 1_000, 3_000];
/** WebKit, in Safari and in its own window; Chromium calls itself AppleWebKit too. */
const WEBKIT = /AppleWebKit(?!.*(?:Chrom|Edg))/;

/** One JSON document a line; the reader sets the pace, and its leaving ends the source. */
export async function sendLines(reply: FastifyReply, { lines, alive, onError, aliveMs = ALIVE_MS }: LineStream): Promise<void> {
	reply.hijack();
	const { raw } = reply;
	for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
	raw.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
	raw.flushHeaders();
	// Nothing is written to a response whose reader has disconnected: the write would fail unnoticed.
	const put = (line: object) => raw.destroyed || raw.write(`${JSON.stringify(line)}\n`);
	// WebKit holds the last piece of what came until more comes: a sign of life right behind it lets it go.
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
	// Who does not read needs no sign of life, and is given none to keep.
	const timer = setInterval(() => raw.writableNeedDrain || put(alive()), aliveMs);
	let source: AsyncIterator<object> | undefined;
	// A source that waits for its next line does not see that the reader has gone.
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

/** Until the reader has taken what was written, or has gone. */
async function drained(raw: ServerResponse): Promise<void> {
	const over = new AbortController();
	try {
		await Promise.race([once(raw, "drain", over), once(raw, "close", over)]);
	} finally {
		over.abort();
	}
}
