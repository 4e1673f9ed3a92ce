import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ScriptRig } from "./script-rig.ts";

// A sandbox and compilers are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const MIB = 2 ** 20;
/** No one else is answered meanwhile. */
const LAG_MS = 250;

let rig: ScriptRig;
beforeAll(async () => {
	rig = await ScriptRig.open();
});
afterAll(async () => {
	await rig[Symbol.asyncDispose]();
});

/**
 * What a run costs the process that answers people: the longest piece of work in one go, in the time of its own
 * thread, so that a busy machine does not count; and what it grew by at the most.
 */
async function costOf<T>(work: Promise<T>): Promise<{ result: T; lagMs: number; grownBytes: number }> {
	const before = process.memoryUsage.rss();
	const over = new AbortController();
	let lagMs = 0;
	let peak = before;
	const watching = (async () => {
		for (let last = process.threadCpuUsage(); !over.signal.aborted; last = process.threadCpuUsage()) {
			await delay(5);
			const { user, system } = process.threadCpuUsage(last);
			lagMs = Math.max(lagMs, (user + system) / 1000);
			peak = Math.max(peak, process.memoryUsage.rss());
		}
	})();
	const result = await work;
	over.abort();
	await watching;
	return { result, lagMs, grownBytes: peak - before };
}

const unchecked = "const any = (value: unknown): any => value;";

describe("a program at the bridge's door", () => {
	it.each([
		[
			"a sparse array of 2^32 where an object belongs",
			"const a: any = []; a.length = 4294967295; await tools.files.write(a)",
			"memory (memoryBytes)",
		],
		[
			"a sparse array within an object",
			"const a: any = []; a.length = 3e5; await tools.files.write(any({ path: 'a', text: a }))",
			"more than 10,000 entries (callMembers).",
		],
		[
			"an object of 200,000 keys",
			"const o: any = {}; for (let i = 0; i < 200_000; i++) o['k' + i] = i; await tools.files.write(o)",
			"entries (callMembers)",
		],
		[
			"one array of 8 MB named 300 times",
			"const a = 'x'.repeat(4e6); const o: any = {}; for (let i = 0; i < 300; i++) o['k' + i] = a; await tools.files.write(o)",
			"",
		],
		[
			"a text that its toJSON makes large",
			"await tools.files.write(any({ path: 'a', text: 'b', toJSON: () => 'x'.repeat(9e6) }))",
			"(callBytes)",
		],
		["a text that is large in UTF-8 alone", "await tools.files.write({ path: 'a', text: '日'.repeat(4e6) })", "(callBytes)"],
	])("is not let in with %s", async (_name, program, words) => {
		// A small one, so that filling it does not take long.
		rig.limit({ memoryBytes: 40 * MIB });
		const { result, lagMs, grownBytes } = await costOf(rig.run(`${unchecked} ${program}`));
		rig.limit({});
		expect(result.outcome).toMatchObject({ kind: "failed", code: "LIMIT_EXCEEDED", message: expect.stringContaining(words) });
		expect(lagMs).toBeLessThan(LAG_MS);
		expect(grownBytes).toBeLessThan(256 * MIB);
	});

	it("pays for calls that are refused", async () => {
		rig.limit({ toolCalls: 50 });
		const { outcome } = await rig.run(`${unchecked} for (;;) { try { await tools.files.write(any({ path: 1 })) } catch {} }`);
		rig.limit({});
		expect(outcome).toMatchObject({ code: "LIMIT_EXCEEDED", message: "The program made more than 50 tool calls (toolCalls)." });
	});

	it("is told of a path that is none at once, whatever its size", async () => {
		const { result, lagMs } = await costOf(
			rig.run("const r = await tools.files.write({ path: 'p'.repeat(7e6), text: 'x' }); return r.ok || r.error.code"),
		);
		expect(result.sink.text("result")).toMatch(/^(?:PATH_UNSAFE|INVALID_INPUT)$/);
		expect(lagMs).toBeLessThan(LAG_MS);
	});

	it("is not ended for what it may do: much work in one go", async () => {
		const { outcome, sink } = await rig.run(
			"let sum = 0; for (let i = 0; i < 5e6; i++) sum += i & 1; for (let n = 0; n < 3; n++) await tools.files.write({ path: n + '.txt', text: 'x'.repeat(7e6) }); return String(sum)",
		);
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe("2500000");
	});

	it("gives its errors names of their own", async () => {
		const { sink } = await rig.run(
			"class Mine extends Error { constructor() { super('m'); this.name = 'Mine' } } try { throw new Mine() } catch (error) { return error.name }",
		);
		expect(sink.text("result")).toBe("Mine");
	});

	it("runs on without anybody else's time", async () => {
		const stop = new AbortController();
		const busy = Array.from({ length: 4 }, () => rig.run("while (true) {}", stop.signal));
		const { result, lagMs } = await costOf(rig.run("return 'beside them'"));
		stop.abort();
		expect(result.sink.text("result")).toBe("beside them");
		expect(lagMs).toBeLessThan(LAG_MS);
		expect((await Promise.all(busy)).map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 4 }, () => "cancelled"));
	});

	it("may say a lot: every call and line arrives, in order", async () => {
		const { outcome, sink } = await rig.run(
			"for (let n = 0; n < 3000; n++) { console.log('line ' + n); if (n % 3 === 0) await tools.files.list({}) } return 'all'",
		);
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("console")).toBe(Array.from({ length: 3000 }, (_, n) => `line ${n}\n`).join(""));
	});
});

describe("a program that is hard to check", () => {
	const mapped = "type P<T> = { [K in keyof T]: T[K] extends object ? P<T[K]> : T[K] }; ";

	it("ends at the compiler's memory or time, by name, and nobody else waits for it", async () => {
		const bomb =
			"type Grow<A extends unknown[], D extends 0[] = []> = D['length'] extends 40 ? A : Grow<[...A, ...A], [...D, 0]>; const x: Grow<[1]> = null as any; return x.length";
		const hard = rig.run(bomb);
		const honest = await rig.run(`${mapped} const fine: number = 1; return fine`);
		expect(honest.outcome).toEqual({ kind: "ended" });
		const { outcome } = await hard;
		expect(outcome).toMatchObject({ kind: "failed", code: expect.stringMatching(/^(?:LIMIT_EXCEEDED|SCRIPT_INVALID)$/) });
	});
});
