import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MemorySink, ScriptRig } from "./script-rig.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

let rig: ScriptRig;
beforeAll(async () => {
	rig = await ScriptRig.open();
});
afterAll(async () => {
	await rig[Symbol.asyncDispose]();
});

describe("a program that is none", () => {
	it.each([
		["const x = 1;\n  const y = ;\nreturn y", "line 2, column 13: Expression expected."],
		["await tools.files.write({path: 'a', txt: 'b'})", "line 1, column 37: Object literal may only specify known properties, but 'txt'"],
		["\n\ntools.nope()", "line 3, column 7: Property 'nope' does not exist"],
		["/* 日本😀 */ nope", "line 1, column 12: Cannot find name 'nope'."],
		["const r = await tools.files.read({path:'a'});\r\nreturn r.value", "line 2, column 10: Property 'value' does not exist"],
		["process.exit(1)", "line 1, column 1: Cannot find name 'process'."],
		["require('node:fs')", "line 1, column 1: Cannot find name 'require'."],
		["await fetch('http://127.0.0.1')", "line 1, column 7: Cannot find name 'fetch'."],
		["await import('node:fs')", "line 1, column 14: Cannot find name 'node:fs'."],
		["await import('/etc/passwd')", "line 1, column 14: Cannot find module '/etc/passwd'"],
		["import fs from 'node:fs'", "line 1, column 1: An import declaration"],
		["document.title", "line 1, column 1: Cannot find name 'document'."],
		["setTimeout(() => {}, 1)", "line 1, column 1: Cannot find name 'setTimeout'."],
		["enum Color { red }", "line 1, column 6: This syntax is not allowed when 'erasableSyntaxOnly' is enabled."],
		["const x: number = 'text'", "line 1, column 7: Type 'string' is not assignable to type 'number'."],
		["return 1 }", "line 1, column 11: Declaration"],
		["} function other() {", "A '}' has no matching '{'."],
		["/* never closed", "'*/' expected."],
		["```js\nconst x: number = 1\n```", "line 1, column 10 of the code block: Type annotations can only be used in TypeScript files."],
		["```ts\n\n  nope\n```", "line 2, column 3 of the code block: Cannot find name 'nope'."],
		["```ts\n1\n```\n```ts\n2\n```", "2 code blocks"],
	])("%j is refused before anything of it runs", async (prompt, words) => {
		const { outcome, sink } = await rig.run(prompt);
		expect(outcome).toMatchObject({ kind: "failed", code: "SCRIPT_INVALID", message: expect.stringContaining(words) });
		expect(sink.updates).toEqual([]);
	});

	it.each(["Write me a report about cats.", "hello", "Please summarise the attached PDF; thanks!"])(
		"%j is told what Script expects",
		async (prompt) => {
			const { outcome } = await rig.run(prompt);
			expect(outcome).toMatchObject({
				kind: "failed",
				code: "SCRIPT_INVALID",
				message: expect.stringMatching(/^Script can only run TypeScript\. To write in plain words, choose an agent\.\n/),
			});
		},
	);

	it.each([
		["parentheses", `return ${"(".repeat(2000)}1${")".repeat(2000)}`],
		["a chain of operators", `return 1${" + 1".repeat(5000)}`],
		["functions", `return ${"(() => { return ".repeat(400)}1${"})".repeat(400)}`],
		["types", `type Deep = ${"[".repeat(2000)}1${"]".repeat(2000)}`],
		["objects in JavaScript", `\`\`\`js\nreturn ${"{a:".repeat(2000)}1${"}".repeat(2000)}\n\`\`\``],
	])("too deep a nest of %s is refused, and harms nobody after it", async (_name, prompt) => {
		const { outcome } = await rig.run(prompt);
		expect(outcome).toMatchObject({ kind: "failed", code: "SCRIPT_INVALID", message: expect.stringContaining("nested too deeply") });
		expect((await rig.run("const fine: number = 1; return fine")).outcome).toEqual({ kind: "ended" });
	});

	it("takes a long chain of operators that people do write", async () => {
		const { outcome, sink } = await rig.run(`return 'x'${" + 'x'".repeat(1500)}`);
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toHaveLength(1501);
	});

	it("goes on checking and running after hostile programs", async () => {
		const { outcome, sink } = await rig.run("const x: string = 'still'; return x + ' here'");
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe("still here");
	});

	it("allows untyped JavaScript where it says so", async () => {
		const { outcome, sink } = await rig.run("```js\nconst o = {}; o.x = 1; function f(a) { return a + o.x }\nreturn f(1)\n```");
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe("2");
	});
});

describe("a program that throws", () => {
	it.each([
		["throw new TypeError('bad')", "line 1, column 11: TypeError: bad"],
		[
			"type A = { b: number };\n\nconst f = (a: A) => {\n  throw new RangeError('deep');\n};\nf({ b: 1 })",
			"line 4, column 13: RangeError: deep",
		],
		["const a: { b?: { c: number } } = {};\nreturn (a as { b: { c: number } }).b.c", "line 2, column 9: TypeError"],
		["await tools.time.wait({ms: 1});\n  throw new Error('after a wait')", "line 2, column 13: Error: after a wait"],
		["words\n```ts\n\n  throw new Error('there')\n```", "line 2, column 13 of the code block: Error: there"],
		["throw 'words'", "Thrown: words"],
		["throw { code: 7 }", 'Thrown: {"code":7}'],
		["throw null", "Thrown: null"],
		["throw undefined", "Thrown: undefined"],
		["const f = (): number => f() + 1; return f()", "Maximum call stack size exceeded"],
		["return 10n ** 3n > 1n ? { big: 10n } : 0", "TypeError"],
		["const loop: { self?: unknown } = {}; loop.self = loop; return loop", "circular"],
		["return () => 1", "the returned function can't be converted to JSON"],
		["return Symbol('x')", "the returned symbol can't be converted to JSON"],
		["tools.time.wait({ms: 50}); return 1", "await every tool call"],
		["throw Object.assign(new Error('forged'), { stack: 'at run.js:999999:1' })", "Error: forged"],
	])("%j is SCRIPT_ERROR", async (prompt, words) => {
		const { outcome } = await rig.run(prompt);
		expect(outcome).toMatchObject({ kind: "failed", code: "SCRIPT_ERROR", message: expect.stringContaining(words) });
	});

	it("keeps what was said before", async () => {
		const { outcome, sink } = await rig.run("console.log('so far'); throw new Error('no further')");
		expect(outcome).toMatchObject({ code: "SCRIPT_ERROR" });
		expect(sink.text("console")).toBe("so far\n");
	});
});

describe("limits, each by name", () => {
	it.each([
		[{ timeMs: 400 }, "while (true) {}", "ran longer than 0.4 s (timeMs)."],
		[{ timeMs: 400 }, "await tools.time.wait({ms: 60_000})", "ran longer than 0.4 s (timeMs)."],
		[
			{ memoryBytes: 50_331_648, callBytes: 1_000_000 },
			"const all: string[] = []; while (true) all.push('x'.repeat(1000) + all.length)",
			"used more than 50.3 MB of memory (memoryBytes).",
		],
		[
			{ memoryBytes: 50_331_648, callBytes: 1_000_000 },
			"const all: Uint8Array[] = []; while (true) all.push(new Uint8Array(1_000_000).fill(1))",
			"memory (memoryBytes)",
		],
		[{ toolCalls: 3 }, "for (let i = 0; i < 9; i++) await tools.files.list({})", "more than 3 tool calls (toolCalls)."],
		[{ toolCalls: 3 }, "await Promise.all([1, 2, 3, 4].map(() => tools.time.wait({ms: 10_000})))", "more than 3 tool calls (toolCalls)."],
		[
			{ writtenBytes: 10 },
			"await tools.files.write({path: 'a', text: '123456'}); await tools.files.write({path: 'b', text: '123456'})",
			"wrote more than 10 bytes of files (writtenBytes).",
		],
		[{ callBytes: 2_000_000 }, "await tools.files.write({path: 'a', text: 'x'.repeat(2_000_001)})", "passed more than 2 MB (callBytes)."],
		[{ callBytes: 100_000 }, "await tools.files.write({path: 'a', text: 'x'.repeat(1_100_000)})", "passed more than 100 kB (callBytes)."],
		[{ callBytes: 100_000 }, "return 'x'.repeat(1_100_000)", "passed more than 100 kB (callBytes)."],
		[{ outputBytes: 1000 }, "while (true) console.log('spam')", "larger than 1 kB in total (outputBytes)."],
		[{ outputBytes: 1000 }, "return 'x'.repeat(1001)", "larger than 1 kB in total (outputBytes)."],
		[{ consoleLines: 5 }, "for (let i = 0; i < 9; i++) console.log('')", "more than 5 lines to the console (consoleLines)."],
		[{ programBytes: 20 }, "return 'a program that is longer than this'", "longer than 20 bytes (programBytes)."],
	])(
		"%j",
		async (limits, prompt, words) => {
			rig.limit(limits);
			const { outcome } = await rig.run(prompt);
			expect(outcome).toMatchObject({ kind: "failed", code: "LIMIT_EXCEEDED", message: expect.stringContaining(words) });
		},
		30_000,
	);

	it("keeps the files that were whole when the limit was reached", async () => {
		rig.limit({ writtenBytes: 10 });
		const { directory } = await rig.run(
			"await tools.files.write({path: 'a', text: '123456'}); await tools.files.write({path: 'b', text: '123456'})",
		);
		expect(await readdir(directory)).toEqual(["a"]);
	});
});

describe("stop", () => {
	beforeAll(() => rig.limit({}));

	it.each([
		["a loop without end", "console.log('go'); while (true) {}"],
		["a wait", "console.log('go'); await tools.time.wait({ms: 600_000})"],
		["many waits", "console.log('go'); await Promise.all([1, 2, 3].map(() => tools.time.wait({ms: 600_000})))"],
		["a program that catches everything", "console.log('go'); while (true) { try { await tools.time.wait({ms: 600_000}) } catch {} }"],
		[
			"endless writing",
			"console.log('go'); for (let i = 0; ; i++) await tools.files.write({path: 'f' + (i % 5), text: 'x'.repeat(100_000)})",
		],
	])("ends %s at once", async (_name, prompt) => {
		const turn = await rig.turn(prompt);
		const sink = new MemorySink();
		const stop = new AbortController();
		const outcome = rig.provider.runTurn(turn, sink, stop.signal);
		await sink.seen((update) => update.kind === "message_delta");
		const asked = performance.now();
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		expect(performance.now() - asked).toBeLessThan(2000);
	});

	it("before the start runs nothing", async () => {
		const { outcome, sink } = await rig.run("console.log('never')", AbortSignal.abort());
		expect(outcome).toEqual({ kind: "cancelled", remote: false });
		expect(sink.updates).toEqual([]);
	});

	it("of the provider ends what runs", async () => {
		await using own = await ScriptRig.open();
		const sink = new MemorySink();
		const outcome = own.provider.runTurn(await own.turn("console.log('go'); while (true) {}"), sink, new AbortController().signal);
		await sink.seen((update) => update.kind === "message_delta");
		await own.provider.close();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
	});
});
