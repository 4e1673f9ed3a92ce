import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { CheckedProgram } from "../../src/ports/programs/program-checker.ts";
import { Inflow } from "../../src/processes/frames/inflow.ts";
import { ABSENT_NAMES } from "../../src/sandbox/compiler/absent-names.ts";
import { createTypeScriptChecker } from "../../src/sandbox/compiler/typescript-checker.ts";
import { createProcessSandbox } from "../../src/sandbox/process-sandbox.ts";
import { MemoryLedger } from "../providers/acp/support/memory-ledger.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const processes = { ledger: new MemoryLedger(), inflow: new Inflow(2 ** 20) };
const sandbox = createProcessSandbox({ ...processes, maxPrograms: 4 });
const checker = createTypeScriptChecker({ ...processes, log: { warn: () => undefined } });
afterAll(async () => {
	await Promise.all([sandbox.close(), checker.close()]);
});
const running = new AbortController().signal;

async function run(source: string) {
	return sandbox.run({
		program: { source } as CheckedProgram,
		tools: {},
		print: async () => undefined,
		limits: { timeMs: 20_000, memoryBytes: 2 ** 26, callBytes: 2 ** 20, callMembers: 1000 },
		signal: running,
	});
}

/** Every value that a library of the compiler declares. */
async function declaredNames(): Promise<string[]> {
	const fromTypescript = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
	const folder = join(dirname(fromTypescript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)), "lib");
	const files = (await readdir(folder)).filter((name) => /^lib\.es.*\.d\.ts$/.test(name));
	const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
	const names = texts.flatMap((text) =>
		[...text.matchAll(/^declare (?:var|let|const|function|class|namespace) (\w+)/gm)].map(([, name = ""]) => name),
	);
	return [...new Set(names)].sort();
}

describe("checker and sandbox read the same language:", () => {
	it("what the checker knows, the sandbox has", async () => {
		const names = await declaredNames();
		const known: string[] = [];
		for (const name of names) {
			const { kind } = await checker.check({ source: `return typeof ${name}`, language: "typescript", declarations: "" }, running);
			if (kind === "checked") known.push(name);
		}
		expect(known.length).toBeGreaterThan(50);
		const outcome = await run(`return ${JSON.stringify(known)}.filter((name) => name !== "undefined" && !(name in globalThis)).join()`);
		expect(outcome).toEqual({ kind: "returned", text: "" });
		// What was left out is left out for a reason: it is not there, or makes code out of text.
		const left = names.filter((name) => ABSENT_NAMES.has(name));
		expect(await run(`return ${JSON.stringify(left)}.filter((name) => name in globalThis).join()`)).toEqual({
			kind: "returned",
			text: "Function",
		});
	});

	it.each([
		"Intl.DateTimeFormat()",
		"new Intl.NumberFormat('de').format(1)",
		"eval('1')",
		"new Function('return 1')()",
		"Function('1')",
		"const { a = Atomics } = {} as any; a",
		"({ SharedArrayBuffer })",
	])("%s is refused before anything runs", async (source) => {
		expect(await checker.check({ source, language: "typescript", declarations: "" }, running)).toMatchObject({
			kind: "invalid",
			problems: [{ message: expect.stringMatching(/^'\w+' is not available to a program\.$/) }],
		});
	});

	it.each([
		"const Intl = { a: 1 }; return Intl.a",
		"const o = { eval: 1, Function: 2 }; return o.eval + o.Function",
		"return (() => 1) instanceof Function",
		"type T = Intl.NumberFormatOptions; const x: T = {}; return Object.keys(x).length",
		"class A { eval() { return 1 } } return new A().eval()",
	])("%s is a program", async (source) => {
		const result = await checker.check({ source, language: "typescript", declarations: "" }, running);
		expect(result).toMatchObject({ kind: "checked" });
		if (result.kind === "checked") expect(await run(result.program.source)).toMatchObject({ kind: "returned" });
	});

	it.each([
		["an HTML comment", "return 1 <!-- 2\n;"],
		["the end of one", "return 2\n--> 3\n"],
		["a comment that hides a brace", "const x = 1\n<!-- }); globalThis.out = 'BROKE OUT'; (async function () { /*\nreturn String(x) // */"],
	])("%s is no comment", async (_name, source) => {
		const result = await checker.check({ source, language: "javascript", declarations: "" }, running);
		const outcome = result.kind === "checked" ? await run(result.program.source) : undefined;
		expect(JSON.stringify(outcome ?? "")).not.toContain("BROKE OUT");
		// Whatever the checker makes of it, the engine does not take it for a comment.
		expect(await run(source)).toMatchObject({ kind: "unreadable", message: expect.stringContaining("SyntaxError") });
		expect(await run("return 1 // a comment of both")).toMatchObject({ kind: "returned" });
	});
});
