import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { CheckedProgram } from "../../src/ports/programs/program-checker.ts";
import type { Sandbox, SandboxOutcome, SandboxRequest, SandboxTool } from "../../src/ports/programs/sandbox.ts";

const MIB = 2 ** 20;

/** Everything a sandbox promises, whatever runs its programs. It is opened for four programs at once. */
export function sandboxContract(name: string, open: () => Sandbox): void {
	describe(`${name}: a sandbox`, () => {
		let sandbox: Sandbox;
		beforeAll(() => {
			sandbox = open();
		});
		afterAll(() => sandbox.close());

		function run(source: string, changes: Partial<SandboxRequest> = {}): Promise<SandboxOutcome> {
			return sandbox.run({
				program: { source } as CheckedProgram,
				tools: {},
				print: async () => undefined,
				limits: { timeMs: 20_000, memoryBytes: 64 * MIB, callBytes: 4 * MIB, callMembers: 10_000 },
				signal: new AbortController().signal,
				...changes,
			});
		}

		it("gives values to tools and back as they were", async () => {
			const seen: unknown[] = [];
			const echo = async (input: unknown): Promise<unknown> => {
				seen.push(input);
				return input;
			};
			const outcome = await run(
				"const a = await tools.a.echo({ n: -1.5, deep: [1, { x: null }], t: 'é😀', long: '日'.repeat(3000) }); const b = await tools.b.echo({ n: 2 }); return [a, b]",
				{ tools: { a: { echo: tool("blocking", echo) }, b: { echo: tool("concurrent", echo) } } },
			);
			const first = { n: -1.5, deep: [1, { x: null }], t: "é😀", long: "日".repeat(3000) };
			expect(outcome).toEqual({ kind: "returned", text: JSON.stringify([first, { n: 2 }], null, 2) });
			expect(seen).toEqual([first, { n: 2 }]);
		});

		it("keeps an own __proto__ an own key, and nobody's prototype", async () => {
			let input: unknown;
			await run(`await tools.a.take(JSON.parse('{"__proto__": {"x": 1}}'))`, {
				tools: {
					a: {
						take: tool("blocking", async (value) => {
							input = value;
						}),
					},
				},
			});
			expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
			expect(Object.getOwnPropertyNames(input)).toEqual(["__proto__"]);
			expect(Reflect.get({}, "x")).toBeUndefined();
		});

		it("prints in order, at every level", async () => {
			const lines: string[] = [];
			await run("console.log('a'); console.warn('b', 1); console.error(); console.info([1]); console.debug('x'.repeat(5000))", {
				print: async (level, text) => void lines.push(`${level} ${text}`),
			});
			expect(lines).toEqual(["log a", "warn b 1", "error ", "info [1]", `debug ${"x".repeat(5000)}`]);
		});

		it("shows values that do not want to be shown", async () => {
			const lines: string[] = [];
			await run(
				"const loop = {}; loop.self = loop; console.log(loop, { get x() { throw 1 } }, new Proxy({}, { get() { throw 1 } }), { toString: null }, Object.create(null), () => 1)",
				{ print: async (_level, text) => void lines.push(text) },
			);
			expect(lines).toEqual(['[unprintable] [unprintable] [unprintable] {"toString":null} {} () => 1']);
		});

		it("answers concurrent calls as they settle, while the rest of the program goes on", async () => {
			const order: unknown[] = [];
			const gates = new Map<unknown, PromiseWithResolvers<unknown>>();
			const wait = tool("concurrent", async (input) => {
				const gate = Promise.withResolvers<unknown>();
				gates.set(z.object({ name: z.string() }).parse(input).name, gate);
				return gate.promise;
			});
			const open = tool("blocking", async (input) => {
				const { name } = z.object({ name: z.string() }).parse(input);
				order.push(name);
				gates.get(name)?.resolve(name);
			});
			const outcome = await run(
				`const heard = [];
			const waits = {};
			for (const name of ["a", "b", "c"]) waits[name] = tools.x.wait({ name }).then((answer) => heard.push(answer));
			for (const name of ["c", "a", "b"]) { await tools.x.open({ name }); await waits[name]; }
			return heard.join("")`,
				{ tools: { x: { wait, open } } },
			);
			expect(outcome).toEqual({ kind: "returned", text: "cab" });
			expect(order).toEqual(["c", "a", "b"]);
		});

		it("bounds the calls that are open at once", async () => {
			const never = tool("concurrent", () => new Promise(() => undefined));
			const outcome = await run("await Promise.all(Array.from({ length: 1001 }, () => tools.a.never({})))", { tools: { a: { never } } });
			expect(outcome).toMatchObject({ kind: "threw", message: "RangeError: more than 1000 tool calls at once" });
		});

		it("has a clock that goes on while a call blocks", async () => {
			const pause = tool("blocking", () => delay(60));
			const before = Date.now();
			const outcome = await run(
				"const from = Date.now(); await tools.a.pause({}); const to = new Date(); return [from, to.getTime(), to instanceof Date, new Date(0).toISOString(), typeof Date(), Date.UTC(2020, 0), new Date(2020, 1).getMonth()].join()",
				{ tools: { a: { pause } } },
			);
			const [from = "", to = "", ...rest] = outcome.kind === "returned" ? (outcome.text?.split(",") ?? []) : [];
			expect(Number(from)).toBeGreaterThanOrEqual(before);
			expect(Number(to) - Number(from)).toBeGreaterThanOrEqual(50);
			expect(rest).toEqual(["true", "1970-01-01T00:00:00.000Z", "string", "1577836800000", "1"]);
		});

		it("lets a program name its own things as it likes", async () => {
			expect(await run("const Date = 1, tools = 2, console = 3, make = 4, host = 5; return Date + tools + console + make + host")).toEqual({
				kind: "returned",
				text: "15",
			});
		});

		it("is broken when a tool rejects, whatever the program makes of it", async () => {
			const fault = new Error("the disk is on fire");
			const outcome = await run("try { await tools.a.fail() } catch {} ; return 'fine'", {
				tools: { a: { fail: tool("blocking", async () => Promise.reject(fault)) } },
			});
			expect(outcome).toEqual({ kind: "broken", cause: fault });
		});

		it("keeps the numbers of lines and columns, on the first line too", async () => {
			expect(await run("null.x")).toEqual({
				kind: "threw",
				message: "TypeError: cannot read property 'x' of null",
				position: { line: 1, column: 1 },
			});
			expect(await run("\n\n   null.x")).toMatchObject({ position: { line: 3, column: 4 } });
			expect(await run("const f = () => { null.x };\n[1].forEach(f)")).toMatchObject({ position: { line: 1, column: 19 } });
		});

		it("says so when a program waits for what cannot come", async () => {
			expect(await run("await new Promise(() => {})")).toEqual({
				kind: "threw",
				message: "Error: the program is waiting for a promise that will never settle",
			});
		});

		it("bounds what a thrown error may say", async () => {
			const outcome = await run("throw new Error('x'.repeat(100_000))");
			expect(outcome.kind === "threw" && outcome.message.length).toBeLessThan(5000);
		});

		it("ends at once when asked, also between a tool's call and its answer", async () => {
			for (const mode of ["blocking", "concurrent"] as const) {
				const stop = new AbortController();
				const never = tool(mode, () => {
					stop.abort();
					return new Promise(() => undefined);
				});
				expect(await run("await tools.a.never()", { tools: { a: { never } }, signal: stop.signal })).toEqual({ kind: "aborted" });
			}
			expect(await run("return 1", { signal: AbortSignal.abort() })).toEqual({ kind: "aborted" });
		});

		it.each([
			["time", "while (true) {}", { timeMs: 300 }, "timeMs"],
			["time, waited away", "await tools.a.never({})", { timeMs: 300 }, "timeMs"],
			["memory", "const all = []; while (true) all.push(new Uint8Array(100_000).fill(1))", {}, "memoryBytes"],
			["the bytes of a call", "console.log('x'.repeat(200_000) + '日'.repeat(600_000))", { callBytes: 100_000 }, "callBytes"],
			["the bytes of a result", "return '日'.repeat(600_000)", { callBytes: 100_000 }, "callBytes"],
		])(
			"names the limit on %s",
			async (_name, source, limits, limit) => {
				const all = { timeMs: 20_000, memoryBytes: 48 * MIB, callBytes: 4 * MIB, callMembers: 10_000, ...limits };
				const tools = { a: { never: tool("concurrent", () => new Promise(() => undefined)) } };
				expect(await run(source, { limits: all, tools })).toEqual({ kind: "limit", limit });
			},
			30_000,
		);

		it("can be ended while it waits, and run again from what was recorded: nothing is done twice", async () => {
			const steps = new Steps();
			const source = `
				const all = ["a", "b", "c"].map(async (name) => name + (await tools.x.act({ name })));
				const first = await Promise.race(all);
				let then;
				try { then = await tools.x.act({ name: "after " + first }); } catch { then = "caught"; }
				return [first, then, ...(await Promise.all(all))].join()`;
			const stop = new AbortController();
			const paused = await run(source, {
				tools: {
					x: {
						act: tool("concurrent", (input) =>
							steps.call(input, async (key) => {
								// The last that was asked for answers first; when all have, a person is waited for.
								if (key.includes('"c"')) return "C";
								await steps.delivered(key.includes("after") ? 3 : 1);
								if (!key.includes("after")) return "AB";
								stop.abort();
								return new Promise(() => undefined);
							}),
						),
					},
				},
				signal: stop.signal,
			});
			expect(paused).toEqual({ kind: "aborted" });
			const acted: string[] = [];
			steps.again();
			const act = tool("concurrent", (input) =>
				steps.call(input, async (key) => {
					acted.push(key);
					return "D";
				}),
			);
			const outcome = await run(source, { tools: { x: { act } } });
			expect(outcome).toEqual({ kind: "returned", text: "cC,D,aAB,bAB,cC" });
			expect(acted).toEqual(['{"name":"after cC"}']);
		});
	});
}

function tool(mode: SandboxTool["mode"], call: SandboxTool["call"]): SandboxTool {
	return { mode, call };
}

type Step = { readonly began: string } | { readonly delivered: string; readonly value: unknown };

/** A program as its recorded steps: in a replay a delivery waits until all that was before it has happened. */
class Steps {
	readonly #steps: Step[] = [];
	readonly #due = new Map<string, () => void>();
	#recorded: PromiseWithResolvers<void> | undefined;
	#at = 0;

	again(): void {
		this.#at = 0;
	}

	async call(input: unknown, act: (key: string) => Promise<unknown>): Promise<unknown> {
		const key = JSON.stringify(input);
		if (this.#at < this.#steps.length) expect({ began: key }).toEqual(this.#steps[this.#at]);
		else this.#steps.push({ began: key });
		this.#at += 1;
		const recorded = this.#steps.find((step) => "delivered" in step && step.delivered === key);
		if (recorded !== undefined && "value" in recorded) {
			const turn = Promise.withResolvers<void>();
			this.#due.set(key, turn.resolve);
			// Once this call is waiting, too, they are answered in the order of the record.
			queueMicrotask(() => this.#replay());
			await turn.promise;
			return recorded.value;
		}
		this.#replay();
		const value = await act(key);
		this.#steps.push({ delivered: key, value });
		this.#recorded?.resolve();
		this.#recorded = undefined;
		this.#at += 1;
		return value;
	}

	/** Settles once so many answers have been recorded. */
	async delivered(count: number): Promise<void> {
		while (this.#steps.filter((step) => "delivered" in step).length < count) {
			this.#recorded ??= Promise.withResolvers();
			await this.#recorded.promise;
		}
	}

	#replay(): void {
		for (let step = this.#steps[this.#at]; step !== undefined && "delivered" in step; step = this.#steps[this.#at]) {
			const deliver = this.#due.get(step.delivered);
			if (deliver === undefined) return;
			this.#due.delete(step.delivered);
			this.#at += 1;
			deliver();
		}
	}
}
