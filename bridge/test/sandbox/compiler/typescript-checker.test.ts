import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { LedgerEntry } from "../../../src/ports/agents/process-ledger.ts";
import type { CheckResult, ProgramChecker, ProgramLanguage } from "../../../src/ports/programs/program-checker.ts";
import { Inflow } from "../../../src/processes/frames/inflow.ts";
import { createTypeScriptChecker } from "../../../src/sandbox/compiler/typescript-checker.ts";
import { MemoryLedger } from "../../providers/acp/support/memory-ledger.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const deps = { log: { warn: () => undefined }, ledger: new MemoryLedger(), inflow: new Inflow(2 ** 20) };
const running = new AbortController().signal;
const checker = createTypeScriptChecker(deps);
afterAll(() => checker.close());
const KNOWN = "declare function known(input: { a: number }): string;";

function check(by: ProgramChecker, source: string, language: ProgramLanguage = "typescript", declarations = KNOWN): Promise<CheckResult> {
	return by.check({ source, language, declarations }, running);
}

function disposable(made: ProgramChecker): ProgramChecker & AsyncDisposable {
	return Object.assign(made, { [Symbol.asyncDispose]: () => made.close() });
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

describe("the program checker", () => {
	it("gives back the program without its types, every character where it was", async () => {
		const source = "const a: number = 1;\nif (a as unknown) return known({ a });\nfunction f<T>(x: T): T { return x }\nreturn f<number>(a)";
		const result = await check(checker, source);
		expect(result).toMatchObject({ kind: "checked" });
		if (result.kind !== "checked") return;
		expect(result.program.source).toHaveLength(source.length);
		expect(result.program.source).toBe(
			source
				.replace(": number ", " ".repeat(9))
				.replace(" as unknown", " ".repeat(11))
				.replace("<T>(x: T): T", "   (x   )   ")
				.replace("f<number>", "f        "),
		);
	});

	it("leaves types as they were not asked for: untyped parameters, growing arrays, caught errors", async () => {
		const source =
			"const all = []; all.push(1); function f(x, { y }) { return x + y }\ntry { f(1, { y: 2 }) } catch (error) { error.message }";
		expect(await check(checker, source)).toMatchObject({ kind: "checked" });
	});

	it("counts lines and columns as editors do", async () => {
		for (const [source, line, column] of [
			["nope", 1, 1],
			["\r\n\r\n\tnope", 3, 2],
			["'😀'; nope", 1, 7],
			["`\n\n`; nope", 3, 4],
		] as const) {
			const result = await check(checker, source);
			expect(result).toMatchObject({ kind: "invalid", problems: [{ position: { line, column }, syntactic: false }] });
		}
	});

	it("tells many errors, and a bounded number of them", async () => {
		const result = await check(checker, "nope;\n".repeat(100));
		expect(result.kind === "invalid" && result.problems.length).toBe(20);
	});

	it("answers many at once, each with its own", async () => {
		const results = await Promise.all(
			Array.from({ length: 40 }, (_, index) =>
				check(checker, index % 2 === 0 ? "return 1" : `missing${index}`, index % 4 < 2 ? "typescript" : "javascript"),
			),
		);
		results.forEach((result, index) => {
			if (index % 2 === 0) expect(result.kind).toBe("checked");
			else expect(result).toMatchObject({ problems: [{ message: expect.stringContaining(`missing${index}`) }] });
		});
	});

	it("runs a few compilers at once, however many programs there are", async () => {
		let most = 0;
		class Peak extends MemoryLedger {
			override async add(entry: LedgerEntry): Promise<void> {
				await super.add(entry);
				most = Math.max(most, this.entries.size);
			}
		}
		await using own = disposable(createTypeScriptChecker({ ...deps, ledger: new Peak() }));
		const few = Math.max(8, 2 * availableParallelism());
		await Promise.all(Array.from({ length: few + 4 }, () => check(own, "return 1")));
		expect(most).toBeGreaterThan(0);
		expect(most).toBeLessThanOrEqual(few);
	});

	it("does not let one program declare things for the next", async () => {
		await check(checker, "} declare global { const leaked: string } {");
		await check(checker, "} declare global { const leaked: string } export {}; {", "javascript");
		expect(await check(checker, "leaked")).toMatchObject({ kind: "invalid" });
		expect(await check(checker, "leaked", "javascript")).toMatchObject({ kind: "invalid" });
	});

	it("reads nothing of this machine", async () => {
		const file = new URL("../../../src/sandbox/within.ts", import.meta.url).pathname;
		for (const source of [
			`const x = await import("${file}")`,
			`/// <reference path="${file}" />\nTIMED_OUT`,
			`type T = typeof import("${file}"); const t: T = 1`,
		]) {
			const result = await check(checker, source);
			expect(result).toMatchObject({ kind: "invalid" });
			expect(JSON.stringify(result)).not.toContain("within<");
		}
	});

	it.skipIf(process.platform !== "linux")("says that the memory was too small when the compiler dies of it, and checks on", async () => {
		const memoryBytes = 160 * 2 ** 20;
		await using small = disposable(createTypeScriptChecker({ memoryBytes, checkMs: 60_000, ...deps }));
		const bomb =
			"type P<U, T = U> = [T] extends [never] ? [] : T extends any ? [T, ...P<Exclude<U, T>>] : never; const p: P<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8> = [] as any; return p";
		expect(await check(small, bomb)).toEqual({ kind: "too_large", valueBytes: memoryBytes });
		expect(await check(small, "return 1")).toMatchObject({ kind: "checked" });
	});

	it("ends a check that takes too long, and checks on", async () => {
		await using slow = disposable(createTypeScriptChecker({ ...deps, checkMs: 1 }));
		const long = "const x: number = 1; ".repeat(10_000);
		expect(await check(slow, long)).toEqual({ kind: "too_slow", valueMs: 1 });
		expect(await check(checker, "return 1")).toMatchObject({ kind: "checked" });
	});

	it.each(["/nonexistent/compiler", "/bin/false", "hangs"])("says that it is not available when %s is its compiler", async (name) => {
		await using home = await mkdtempDisposable(join(tmpdir(), "checker-"));
		const executable = name === "hangs" ? join(home.path, "hangs") : name;
		if (name === "hangs") await writeFile(executable, "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
		await using broken = disposable(createTypeScriptChecker({ ...deps, executable, startMs: name === "hangs" ? 500 : 20_000 }));
		await expect(check(broken, "return 1")).rejects.toMatchObject({ code: "CHECKER_UNAVAILABLE" });
		await expect(check(broken, "return 1")).rejects.toMatchObject({ code: "CHECKER_UNAVAILABLE" });
	});

	it("says what is wrong with declarations, and takes right ones afterwards", async () => {
		await using one = disposable(createTypeScriptChecker(deps));
		for (const [declarations, problem] of [
			["declare const tools: Missing;", "Cannot find name 'Missing'"],
			["declare const tools: {", "'}' expected"],
		] as const) {
			const checked = check(one, "return 1", "typescript", declarations);
			await expect(checked).rejects.toMatchObject({ code: "CHECKER_UNAVAILABLE", message: expect.stringContaining(problem) });
		}
		expect(await check(one, "return known({ a: 1 })")).toMatchObject({ kind: "checked" });
	});

	it("checks each program against the declarations that come with it", async () => {
		const sender = "declare const mail: { send(to: string): void };";
		for (let round = 0; round < 2; round++) {
			expect(await check(checker, "mail.send('a')", "typescript", sender)).toMatchObject({ kind: "checked" });
			expect(await check(checker, "mail.send(1)", "javascript", sender)).toMatchObject({ kind: "invalid" });
			expect(await check(checker, "known({ a: 1 })", "typescript", sender)).toMatchObject({ kind: "invalid" });
			expect(await check(checker, "known({ a: 1 })")).toMatchObject({ kind: "checked" });
			expect(await check(checker, "mail.send('a')")).toMatchObject({ kind: "invalid" });
		}
	});

	it("starts the compiler again when it was killed, and leaves none behind", async () => {
		await using home = await mkdtempDisposable(join(tmpdir(), "checker-"));
		const executable = join(home.path, "compiler");
		const real = createRequire(createRequire(import.meta.url).resolve("typescript/package.json")).resolve(
			`@typescript/typescript-${process.platform}-${process.arch}/package.json`,
		);
		const script = `#!/bin/sh\necho $$ >> "${home.path}/pids"\nexec "${join(dirname(real), "lib", "tsc")}" "$@"\n`;
		await writeFile(executable, script, { mode: 0o755 });
		const pids = async (): Promise<number[]> => (await readFile(join(home.path, "pids"), "utf8")).trim().split("\n").map(Number);
		{
			await using killed = disposable(createTypeScriptChecker({ ...deps, executable }));
			for (let round = 1; round <= 2; round++) {
				expect(await check(killed, "return 1")).toMatchObject({ kind: "checked" });
				process.kill((await pids()).at(-1) ?? Number.NaN, "SIGKILL");
			}
			expect(await check(killed, "return 1")).toMatchObject({ kind: "checked" });
		}
		const started = await pids();
		expect(started).toHaveLength(3);
		await vi.waitFor(() => expect(started.filter(isAlive)).toEqual([]), { timeout: 20_000, interval: 20 });
	}, 60_000);

	it("starts again after it was closed", async () => {
		await using again = disposable(createTypeScriptChecker(deps));
		expect(await check(again, "return 1")).toMatchObject({ kind: "checked" });
		await again.close();
		expect(await check(again, "return 1")).toMatchObject({ kind: "checked" });
	});
});
