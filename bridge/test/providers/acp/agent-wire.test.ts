import { PassThrough, Readable } from "node:stream";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentEnvironment } from "../../../src/providers/acp/process/agent-environment.ts";
import { openWire, parseMessage, readLines } from "../../../src/providers/acp/process/agent-wire.ts";
import { StderrTail } from "../../../src/providers/acp/process/stderr-tail.ts";

const bounds = { lineBytes: 1_000, message: { depth: 8, members: 50 }, garbageBytes: 10_000, openRequests: 4 };

/** Any way to cut bytes into chunks. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
	const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
	return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
	const items: T[] = [];
	for await (const item of source) items.push(item);
	return items;
}

describe("lines", () => {
	it("are the same however the bytes arrive", async () => {
		const line = fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\n", ""));
		await fc.assert(
			fc.asyncProperty(fc.array(line), fc.array(fc.nat()), async (lines, places) => {
				const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
				const chunks = (async function* () {
					yield* cut(bytes, places);
				})();
				const read = await collect(readLines(chunks, 1_000));
				expect(read.map((item) => item.toString("utf8"))).toEqual(lines.map((text) => Buffer.from(text).toString("utf8")));
			}),
		);
	});

	it("that are too long are refused, with and without an end", async () => {
		for (const end of ["", "\n"]) {
			await expect(
				collect(readLines(Readable.from([Buffer.from("x".repeat(600)), Buffer.from(`${"x".repeat(600)}${end}`)]), 1_000)),
			).rejects.toThrow("more than 1000 bytes");
		}
	});
});

describe("the wire", () => {
	it("passes messages on, takes updates out in order, and notes everything else", async () => {
		const update = { jsonrpc: "2.0", method: "session/update", params: { n: 1 } };
		const request = { jsonrpc: "2.0", id: "q", method: "session/request_permission" };
		const lines = [update, request, { jsonrpc: "2.0", id: 99, result: {} }, [update], 7, null, { jsonrpc: "1.0", method: "x" }];
		const output = Readable.from([Buffer.from(`hello\n${lines.map((line) => JSON.stringify(line)).join("\n")}\n`)]);
		const updates: unknown[] = [];
		const garbage: string[] = [];
		const wire = openWire(new PassThrough(), output, {
			bounds,
			ready: async () => {},
			onUpdate: (params) => updates.push(params),
			onGarbage: (line) => garbage.push(line.toString()),
		});
		const messages: AnyMessage[] = await collect(wire.readable);
		expect(messages).toEqual([request]);
		expect(updates).toEqual([{ n: 1 }]);
		expect(garbage).toHaveLength(6);
	});

	it.each([
		["many fields", JSON.stringify({ jsonrpc: "2.0", method: "x", params: Array(60).fill(0) }), "too many fields"],
		["a deep one", `{"jsonrpc":"2.0","method":"x","params":${"[".repeat(9)}${"]".repeat(9)}}`, "nested too deeply"],
	])("ends an agent that sends a message of %s, before it is parsed", async (_what, line, words) => {
		const options = { bounds, ready: async () => {}, onUpdate: () => {}, onGarbage: () => {} };
		const wire = openWire(new PassThrough(), Readable.from([Buffer.from(`${line}\n`)]), options);
		await expect(collect(wire.readable)).rejects.toThrow(words);
	});

	it("lets an answer through that was asked for", async () => {
		const input = new PassThrough();
		const output = new PassThrough();
		const garbage: Buffer[] = [];
		const options = { bounds, ready: async () => {}, onUpdate: () => {}, onGarbage: (line: Buffer) => void garbage.push(line) };
		const wire = openWire(input, output, options);
		const writer = wire.writable.getWriter();
		await writer.write({ jsonrpc: "2.0", id: 1, method: "initialize" });
		output.end('{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
		expect(await collect(wire.readable)).toHaveLength(1);
		expect(garbage).toHaveLength(1);
	});

	it("does not read further while requests are open beyond the bound", async () => {
		const request = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "session/request_permission" })}\n`;
		const output = Readable.from(Array.from({ length: 10 }, (_, id) => Buffer.from(request(id))));
		const options = { bounds, ready: async () => {}, onUpdate: () => {}, onGarbage: () => {} };
		const wire = openWire(new PassThrough().resume(), output, options);
		const reader = wire.readable.getReader();
		const writer = wire.writable.getWriter();
		for (let id = 0; id < 10; id++) {
			if (id >= bounds.openRequests) await writer.write({ jsonrpc: "2.0", id: id - bounds.openRequests, result: {} });
			expect((await reader.read()).value).toMatchObject({ id });
		}
	});

	it("parses any bytes without throwing, and takes no array, number or half message for one", () => {
		fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseMessage(Buffer.from(bytes))));
		fc.assert(fc.property(fc.json(), (json) => void expect(parseMessage(Buffer.from(json))).toBeUndefined()));
	});
});

describe("an agent's last words", () => {
	it("are the end of what it wrote, within the bound, without control sequences", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: "binary" })), fc.integer({ min: 1, max: 200 }), (parts, limit) => {
				const tail = new StderrTail(limit, {});
				for (const part of parts) tail.append(Buffer.from(part));
				expect(Buffer.byteLength(tail.text())).toBeLessThanOrEqual(limit * 3);
				// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
				expect(tail.text()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
			}),
		);
		const tail = new StderrTail(10, {});
		for (const part of ["0123456789", "abc", "def"]) tail.append(Buffer.from(part));
		expect(tail.text()).toBe("6789abcdef");
	});
});

describe("an agent's environment", () => {
	it("has its defaults, then what is inherited, then its definition, and none of the bridge's own", () => {
		const base = {
			PATH: "/bin",
			GOOSE_MODE: "auto",
			XWORKMATE_TOKEN: "t",
			OPENCLAW_GATEWAY_TOKEN: "t",
			npm_package_name: "x",
			EMPTY: undefined,
		};
		expect(agentEnvironment(base, { GOOSE_MODE: "approve", EXTRA: "1" }, { PATH: "/own" })).toEqual({
			PATH: "/own",
			GOOSE_MODE: "auto",
			EXTRA: "1",
		});
	});
});
