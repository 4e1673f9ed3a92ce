import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { agentEnvironment } from "../../../src/providers/acp/process/agent-environment.ts";
import { RequestError } from "../../../src/providers/acp/process/agent-failure.ts";
import { AgentWire, type WireOptions } from "../../../src/providers/acp/process/agent-wire.ts";
import { LineSplitter } from "../../../src/providers/acp/process/line-splitter.ts";
import { parseMessage } from "../../../src/providers/acp/process/parse-message.ts";
import { StderrTail } from "../../../src/providers/acp/process/stderr-tail.ts";

const bounds = { lineBytes: 1_000, message: { depth: 8, members: 50 }, garbageBytes: 10_000, openRequests: 4 };

/** Any way to cut bytes into chunks. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
	const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
	return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
}

function linesOf(chunks: readonly Buffer[], limit: number): Buffer[] {
	const splitter = new LineSplitter(limit);
	const lines: Buffer[] = [];
	for (const chunk of chunks) {
		splitter.push(chunk);
		for (let line = splitter.next(); line !== undefined; line = splitter.next()) lines.push(line);
	}
	const last = splitter.last();
	return last === undefined ? lines : [...lines, last];
}

describe("lines", () => {
	it("are the same however the bytes arrive, and the last one may lack its end", () => {
		const line = fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\n", ""));
		fc.assert(
			fc.property(fc.array(line), fc.array(fc.nat()), line, (lines, places, unended) => {
				const bytes = Buffer.from(lines.map((text) => `${text}\n`).join("") + unended);
				const read = linesOf(cut(bytes, places), 1_000);
				const expected = unended === "" ? lines : [...lines, unended];
				expect(read.map((item) => item.toString("utf8"))).toEqual(expected.map((text) => Buffer.from(text).toString("utf8")));
			}),
		);
	});

	it("that are too long are refused, with and without an end", () => {
		for (const end of ["", "\n"]) {
			const chunks = [Buffer.from("x".repeat(600)), Buffer.from(`${"x".repeat(600)}${end}`)];
			expect(() => linesOf(chunks, 1_000)).toThrow("more than 1 kB");
		}
		expect(linesOf([Buffer.from(`${"x".repeat(1_000)}\n`)], 1_000)).toHaveLength(1);
	});
});

async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** A wire over pipes of this test, and what it passes on, in order. */
function wireOf(output: Readable, options: Partial<WireOptions> = {}) {
	const [input, seen, garbage, ignored]: [PassThrough, unknown[], string[], string[]] = [new PassThrough(), [], [], []];
	const wire = new AgentWire(input, output, {
		bounds,
		ready: () => undefined,
		onUpdate: (params) => seen.push(params),
		onRequest: async (method, params) => {
			seen.push({ method, params });
			return {};
		},
		onGarbage: (line) => garbage.push(line.toString()),
		onIgnoredAnswer: (why) => ignored.push(why),
		...options,
	});
	return { wire, input, seen, garbage, ignored };
}

const asLines = (...messages: readonly unknown[]) => Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
const update = (n: number) => ({ jsonrpc: "2.0", method: "session/update", params: { n } });
const ask = (id: number) => ({ jsonrpc: "2.0", id, method: "session/request_permission", params: { id } });

describe("the wire", () => {
	it("passes updates and requests on in order, and notes everything that is not a message", async () => {
		const other = [[update(1)], 7, null, { jsonrpc: "1.0", method: "x" }];
		const unasked = { jsonrpc: "2.0", id: 99, result: {} };
		const notification = { jsonrpc: "2.0", method: "session/other", params: {} };
		const output = Readable.from([Buffer.from("hello\n"), asLines(update(1), ask(5), update(2), notification, unasked, ...other)]);
		const { wire, seen, garbage, ignored } = wireOf(output);
		await wire.closed;
		expect(seen).toEqual([{ n: 1 }, { method: "session/request_permission", params: { id: 5 } }, { n: 2 }]);
		expect(garbage).toEqual(["hello", ...other.map((message) => JSON.stringify(message))]);
		expect(ignored).toEqual(["unasked"]);
	});

	it.each([
		["many fields", JSON.stringify({ jsonrpc: "2.0", method: "x", params: Array(60).fill(0) }), "too many fields"],
		["a deep one", `{"jsonrpc":"2.0","method":"x","params":${"[".repeat(9)}${"]".repeat(9)}}`, "nested too deeply"],
	])("ends an agent that sends a message of %s, before it is parsed", async (_what, line, words) => {
		const parse = vi.spyOn(JSON, "parse");
		const { wire } = wireOf(Readable.from([Buffer.from(`${line}\n`)]));
		await wire.closed;
		expect(String(wire.reason)).toContain(words);
		expect(parse).not.toHaveBeenCalled();
		parse.mockRestore();
	});

	it("ends an agent whose garbage exceeds its bound, and reads none of the rest", async () => {
		const lines = Buffer.from("not a message\n".repeat(2_000));
		const { wire, garbage } = wireOf(Readable.from([lines]));
		await wire.closed;
		expect(String(wire.reason)).toContain("B of output that is not protocol messages");
		expect(garbage).toHaveLength(Math.floor(bounds.garbageBytes / 14) + 1);
	});

	it("ends an agent whose ignored answers exceed the same bound, and says what they were", async () => {
		const lines = asLines(...Array.from({ length: 2_000 }, () => ({ jsonrpc: "2.0", id: 1, result: {} })));
		const { wire, garbage } = wireOf(Readable.from([lines]));
		await wire.closed;
		expect(String(wire.reason)).toContain("B of responses that match no open request");
		expect(garbage).toEqual([]);
	});

	it("names both kinds if the agent's garbage and its ignored answers exceed the bound together", async () => {
		const pairs = Array.from({ length: 1_000 }, () =>
			Buffer.concat([Buffer.from("not a message\n"), asLines({ jsonrpc: "2.0", id: 1, result: {} })]),
		);
		const { wire } = wireOf(Readable.from([Buffer.concat(pairs)]));
		await wire.closed;
		expect(String(wire.reason)).toContain("B of output that is not protocol messages, and of responses that match no open request");
	});

	it("lets an answer through that was asked for, once, and knows the second one as a repetition", async () => {
		const output = new PassThrough();
		const { wire, input, garbage, ignored } = wireOf(output);
		const answer = wire.request("initialize", { v: 1 });
		expect(String(input.read())).toBe('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"v":1}}\n');
		output.end('{"jsonrpc":"2.0","id":1,"result":{"ok":true}}\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
		expect(await answer).toEqual({ ok: true });
		await wire.closed;
		expect([garbage, ignored]).toEqual([[], ["repeated"]]);
	});

	it("gives the agent's error to its caller, and the reason of its end to all who still wait", async () => {
		const output = new PassThrough();
		const { wire } = wireOf(output);
		const [failing, waiting] = [wire.request("a", {}), wire.request("b", {})];
		output.write(asLines({ jsonrpc: "2.0", id: 1, error: { code: -32_000, message: "log in", data: { why: "x" } } }));
		await expect(failing).rejects.toMatchObject({ name: "RequestError", code: -32_000, message: "log in", data: { why: "x" } });
		output.end();
		await expect(waiting).rejects.toThrow("was closed");
		expect(wire.isClosed).toBe(true);
		await expect(wire.request("c", {})).rejects.toThrow("was closed");
		wire.notify("d", {});
	});

	it("answers a request with its result, its error, or that it failed", async () => {
		const answers = [async () => ({ ok: 1 }), () => Promise.reject(new RequestError({ code: 7, message: "no", data: { a: 1 } }))];
		const { wire, input } = wireOf(Readable.from([asLines(ask(0), ask(1), ask(2))]), {
			onRequest: () => (answers.shift() ?? (() => Promise.reject(new Error("broken"))))(),
		});
		const lines: unknown[] = [];
		input.on("data", (chunk: Buffer) => {
			for (const line of String(chunk).trim().split("\n")) lines.push(JSON.parse(line));
		});
		await until(() => lines.length === 3 || wire.isClosed);
		expect(lines).toEqual([
			{ jsonrpc: "2.0", id: 0, result: { ok: 1 } },
			{ jsonrpc: "2.0", id: 1, error: { code: 7, message: "no", data: { a: 1 } } },
			{ jsonrpc: "2.0", id: 2, error: { code: -32_603, message: "Internal error", data: { details: "broken" } } },
		]);
	});

	it("does not read further while requests are open beyond the bound", async () => {
		const open: (() => void)[] = [];
		const output = Readable.from(Array.from({ length: 10 }, (_, id) => asLines(ask(id))));
		const { wire, input } = wireOf(output, { onRequest: () => new Promise((resolve) => open.push(() => resolve({}))) });
		input.resume();
		for (let answered = 0; answered < 10; answered++) {
			await until(() => open.length === Math.min(answered + bounds.openRequests, 10));
			open[answered]?.();
		}
		await wire.closed;
		expect(open).toHaveLength(10);
	});

	it("counts a request as open until its answer has left: an agent that reads no answers is not read either", async () => {
		const blocked: (() => void)[] = [];
		const input = new PassThrough();
		input.write = (_line: unknown, written: unknown) => {
			if (typeof written === "function") blocked.push(() => written());
			return false;
		};
		const asked: unknown[] = [];
		const output = Readable.from([asLines(...Array.from({ length: 10 }, (_, id) => ask(id)))]);
		const onRequest = async (_method: string, params: unknown) => asked.push(params);
		const wire = new AgentWire(input, output, {
			bounds,
			ready: () => undefined,
			onUpdate() {},
			onRequest,
			onGarbage() {},
			onIgnoredAnswer() {},
		});
		await until(() => blocked.length === bounds.openRequests);
		expect(asked).toHaveLength(bounds.openRequests);
		blocked[0]?.();
		await until(() => blocked.length === bounds.openRequests + 1);
		expect(asked).toHaveLength(bounds.openRequests + 1);
		wire.close();
	});

	it("reads no further than its listener is ready for, and goes on where it was", async () => {
		const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
		const waiting = gates.map(({ promise }) => promise);
		const { wire, seen } = wireOf(Readable.from([asLines(update(0), update(1), update(2))]), { ready: () => waiting.shift() });
		for (const [index, gate] of gates.entries()) {
			await until(() => waiting.length === 2 - index);
			expect(seen).toHaveLength(index);
			gate.resolve();
		}
		await wire.closed;
		expect(seen).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
	});

	it("passes nothing on once it is closed, and leaves nobody waiting", async () => {
		const gate = Promise.withResolvers<void>();
		const { wire, seen } = wireOf(Readable.from([asLines(update(0), update(1))]), { ready: () => gate.promise });
		const asked = wire.request("x", {});
		wire.close(new Error("the end"));
		gate.resolve();
		await expect(asked).rejects.toThrow("the end");
		await wire.closed;
		expect(seen).toEqual([]);
	});

	it("parses each message once", async () => {
		const parse = vi.spyOn(JSON, "parse");
		const { wire, seen } = wireOf(Readable.from([asLines(...Array.from({ length: 100 }, (_, n) => update(n)))]));
		await wire.closed;
		expect(parse).toHaveBeenCalledTimes(100);
		parse.mockRestore();
		expect(seen).toHaveLength(100);
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
