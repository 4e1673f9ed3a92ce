import { describe, expect, it } from "vitest";
import { encodeFrame } from "../../../src/processes/frames/frame.ts";
import { jsonOfInput, problemOf } from "../../../src/tools/integrations/json-value.ts";
import { parseDeclaredTools, parseHostMessage, parseJson, parseProblems } from "../../../src/tools/integrations/parse-host-message.ts";
import { safeWords } from "../../../src/tools/integrations/safe-words.ts";

const frame = (head: unknown, ...texts: string[]) => ({ head, texts: texts.map((text) => Buffer.from(text)) });
const tool = {
	toolId: "demo.word.say",
	method: "say",
	file: "tools.ts",
	risk: "read",
	idempotent: false,
	keyRead: false,
	window: true,
	timeoutMs: 1,
	secrets: [],
	input: {},
	output: {},
};

describe("what a process of tools sends", () => {
	it.each([
		undefined,
		{ kind: "unknown" },
		{ kind: "ready", more: 1 },
		{ kind: "ruled", id: 0, policy: "allow" },
		{ kind: "ruled", id: 1, policy: "always" },
		{ kind: "returned", id: 1, outcome: "succeeded", code: "DENIED" },
		{ kind: "returned", id: "1", outcome: "succeeded" },
	])("is refused unless it is a message: %j", (head) => {
		expect(() => parseHostMessage(frame(head))).toThrow("not a message");
	});

	it("has one text at most, which is JSON within bounds", () => {
		expect(() => parseHostMessage(frame({ kind: "ready" }, "a", "b"))).toThrow("not a message");
		expect(() => parseJson("{")).toThrow("not JSON");
		expect(() => parseJson("[".repeat(100) + "]".repeat(100))).toThrow("nested too deeply");
		expect(encodeFrame({ kind: "ready" }).length).toBeGreaterThan(0);
	});

	it("declares each tool once, and only its own", () => {
		const declared = (...tools: unknown[]) => parseDeclaredTools(JSON.stringify(tools), "demo");
		expect(declared(tool)).toEqual([tool]);
		expect(() => declared(tool, tool)).toThrow("twice");
		expect(() => declared({ ...tool, toolId: "other.word.say" })).toThrow("another integration");
		for (const wrong of [
			{ ...tool, risk: "none" },
			{ ...tool, method: "constructor()" },
			{ ...tool, timeoutMs: 1e9 },
			{ ...tool, more: 1 },
		]) {
			expect(() => declared(wrong)).toThrow("unknown format");
		}
		expect(() => declared()).toThrow("unknown format");
		expect(() => parseProblems("[]")).toThrow("unknown format");
	});
});

describe("a value on its way to a tool", () => {
	it("is measured without recursion", () => {
		let deep: unknown = 1;
		for (let level = 0; level < 100_000; level++) deep = [deep];
		expect(problemOf(deep)).toContain("64 levels");
		expect(problemOf(Array(100_001).fill(1))).toContain("100,000 members");
		expect(problemOf(JSON.parse('{"__proto__":1}'))).toContain("__proto__");
		expect(problemOf({ a: [{ b: null }] })).toBeUndefined();
		expect(jsonOfInput({ a: 1 })).toEqual({ json: '{"a":1}' });
		expect(jsonOfInput(1n)).toHaveProperty("problem");
		expect(jsonOfInput(undefined)).toHaveProperty("problem");
	});
});

it.each([
	["  Delete\n the\tevent  ", "Delete the event"],
	["Allow \u202egnihton\u202c", "Allow \\u{202e}gnihton\\u{202c}"],
	["\u001b[31mred\u001b[0m\u0000", "\\u{1b}[31mred\\u{1b}[0m\\u{0}"],
	["a\u200bb\u2066c\ufeff", "a\\u{200b}b\\u{2066}c"],
	[" \n", undefined],
	["x".repeat(600), `${"x".repeat(499)}…`],
])("words of a tool are shown as they read: %j", (said, shown) => {
	expect(safeWords(said)).toBe(shown);
});
