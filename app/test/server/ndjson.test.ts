import { once } from "node:events";
import { get, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { type LineStream, sendLines } from "../../src/server/ndjson.ts";
import { until } from "../support/until.ts";

/** A server with this stream alone, and a reader who has not begun to read it. */
async function stream(
	lines: LineStream["lines"],
	aliveMs?: number,
	userAgent = "Mozilla/5.0 AppleWebKit/537.36 (KHTML) Chrome/156.0 Safari/537.36",
) {
	const app = Fastify({ forceCloseConnections: true });
	const errors: unknown[] = [];
	const begun = Promise.withResolvers<ServerResponse>();
	app.get("/", (_request, reply) => {
		begun.resolve(reply.raw);
		const alive = () => ({ type: "alive" });
		return sendLines(reply, { lines, alive, onError: (error) => errors.push(error), ...(aliveMs !== undefined && { aliveMs }) });
	});
	const request = get(await app.listen({ host: "127.0.0.1", port: 0 }), { headers: { "user-agent": userAgent } });
	const [reader]: IncomingMessage[] = await once(request, "response");
	if (reader === undefined) throw new Error("there is no answer");
	reader.pause().on("error", () => undefined);
	return { reader, errors, sent: await begun.promise, [Symbol.asyncDispose]: () => app.close() };
}

const mebibyte = { text: "x".repeat(1024 * 1024) };

describe("a stream of lines", () => {
	it("that cannot begin says why, and ends", async () => {
		const gone = new AppError("THREAD_NOT_FOUND", "there is no such thread", "List them.");
		await using open = await stream(() => {
			throw gone;
		});
		expect(JSON.parse(await text(open.reader))).toMatchObject({ type: "refused", failure: { code: "THREAD_NOT_FOUND" } });
		expect(open.errors).toEqual([]);
	});

	it("keeps the words of a fault to itself", async () => {
		await using open = await stream(async function* () {
			yield { type: "first" };
			throw new Error("secret words");
		});
		expect(await text(open.reader)).toMatch(/^\{"type":"first"\}\n.*"INTERNAL"((?!secret).)*\n$/);
		expect(open.errors).toHaveLength(1);
	});

	it("is let go of at once by a browser that holds the last piece back until more comes", async () => {
		const safari = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15";
		const { promise: end, resolve } = Promise.withResolvers<void>();
		await using open = await stream(
			async function* () {
				yield { type: "state" };
				await end;
			},
			60_000,
			safari,
		);
		let came = "";
		open.reader
			.setEncoding("utf8")
			.resume()
			.on("data", (piece: string) => {
				came += piece;
			});
		await until("the line and what lets it go", () => came.split("\n").length > 3);
		expect(came).toBe('{"type":"state"}\n{"type":"alive"}\n{"type":"alive"}\n');
		resolve();
		await once(open.reader, "end");
	});

	it("leaves nothing behind for each time that its reader was slow", async () => {
		await using open = await stream(async function* () {
			for (let count = 0; count < 40; count++) yield mebibyte;
		});
		const before = open.sent.listenerCount("close");
		let bytes = 0;
		open.reader.on("data", (chunk) => {
			bytes += chunk.length;
		});
		open.reader.resume();
		await until("half of it came", () => bytes > 20 * 1024 * 1024);
		expect(open.sent.listenerCount("close")).toBeLessThanOrEqual(before + 1);
		await once(open.reader, "end");
	});

	it("holds what a reader who never reads was sent, and no more: neither lines nor signs of life", async () => {
		let asked = 0;
		await using open = await stream(async function* () {
			for (;;) {
				asked += 1;
				yield mebibyte;
			}
		}, 1);
		await until("its sending has come to a stand", () => open.sent.writableNeedDrain && open.sent.writableLength > 0);
		let calm = 0;
		let most = 0;
		await until("it stays so", () => {
			calm = open.sent.writableLength > most ? 0 : calm + 1;
			most = Math.max(most, open.sent.writableLength);
			return calm > 20;
		});
		expect(most).toBeLessThan(3 * 1024 * 1024);
		expect(asked).toBeLessThan(40);
	});

	it("ends its source when the reader goes, though nothing happens", async () => {
		const ended = Promise.withResolvers<void>();
		await using open = await stream(() => ({
			[Symbol.asyncIterator]: () => ({
				next: () => new Promise<never>(() => undefined),
				return: async () => {
					ended.resolve();
					return { done: true, value: undefined };
				},
			}),
		}));
		open.reader.destroy();
		await ended.promise;
	});
});
