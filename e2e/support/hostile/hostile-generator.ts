import { seededRandom } from "../machine/seeded-random.ts";

/** The same picks for the same seed. */
class Picker {
	readonly #next: () => number;

	constructor(seed: number) {
		this.#next = seededRandom(seed);
	}

	below(count: number): number {
		return Math.floor(this.#next() * count);
	}

	chance(share: number): boolean {
		return this.#next() < share;
	}

	of<T>(items: readonly [T, ...T[]]): T {
		return items[this.below(items.length)] ?? items[0];
	}
}

type Fragment = (pick: Picker) => string;

const text: Fragment = (pick) =>
	pick.of([
		"''",
		"'a.txt'",
		"'../up'",
		"'/etc/passwd'",
		"'\\ud800'",
		"'\\u0000'",
		"'x'.repeat(1e6)",
		"'é'.repeat(3e5)",
		"'con.'",
		"'a/'.repeat(2000)",
	]);
const amount: Fragment = (pick) => pick.of(["0", "-1", "NaN", "1e308", "2 ** 31", "0.5", "5", "-0", "10n ** 50n"]);

/** Expressions of every shape; those in parts recurse with less and less chance. */
const shapes: readonly [Fragment, ...Fragment[]] = [
	text,
	amount,
	() => "undefined",
	() => "null",
	() => "Symbol('s')",
	() => "(() => { const a: any = []; a.length = 2 ** 32 - 1; return a; })()",
	() => "(() => { const a: any = []; a[1e6] = 1; return a; })()",
	() => "(() => { const o: any = {}; o.self = o; return o; })()",
	() => "(() => { let o: any = {}; for (let i = 0; i < 5000; i++) o = { o }; return o; })()",
	() => "(() => { const o: any = {}; for (let i = 0; i < 20000; i++) o['k' + i] = i; return o; })()",
	() => "new Proxy({}, { get() { throw new Error('trap'); } })",
	() =>
		"new Proxy([], { ownKeys: () => ['length', '0', 'path'], getOwnPropertyDescriptor: () => ({ value: 'x', enumerable: true, configurable: true, writable: true }) })",
	() => "({ get path() { throw new Error('trap'); } })",
	() => "({ toJSON() { return { path: 'b.txt', text: 'y' }; }, path: 'c.txt', text: 'z' })",
	() => "({ [Symbol.toPrimitive]: () => { throw new Error('trap'); } })",
	() => "({ then(resolve: any) { resolve(1); } })",
	() => 'JSON.parse(\'{"__proto__":{"path":"p"},"constructor":{}}\')',
	() => "new Uint8Array(2e6)",
	() => "new Uint16Array(1e5).fill(0xd800)",
	() => "new Map([[1, new Set([2])]])",
	() => "Array.from({ length: 3000 }, (_, i) => ({ i }))",
	() => "(async () => 1)()",
	() => "(function* () { yield 1; })()",
	() => "new Date(NaN)",
	() => "Object.create(null)",
	(pick) => `[${value(pick)}, ${value(pick)}]`,
	(pick) => `({ path: ${text(pick)}, text: ${value(pick)} })`,
	(pick) => `({ path: ${value(pick)}, base64: ${text(pick)}, ms: ${amount(pick)} })`,
	(pick) => `({ ms: ${amount(pick)} })`,
	(pick) => `({ path: 'f' + ${pick.below(9)}, text: 'x'.repeat(${pick.below(100_000)}) })`,
];
const value: Fragment = (pick) => pick.of(shapes)(pick);

const tool: Fragment = (pick) => pick.of(["files.write", "files.read", "files.list", "time.wait"]);
const guarded = (statement: string) => `try { ${statement} } catch (caught: any) { last = caught; }`;

const poisons: readonly [string, ...string[]] = [
	"Array.prototype.push = () => { throw new Error('poison'); };",
	"Array.prototype[Symbol.iterator] = function* () { for (let i = 0; i < 9; i++) yield 'poison'; } as any;",
	"Object.keys = Object.entries = (() => { throw new Error('poison'); }) as any;",
	"JSON.stringify = () => '\"poison\"';",
	"(Promise.prototype as any).then = undefined;",
	"(globalThis as any).Promise = undefined;",
	"(Object.prototype as any).ok = false;",
	"Object.defineProperty(Object.prototype, 'get', { value: () => { throw new Error('poison'); }, configurable: true });",
	"(globalThis as any).Uint8Array = (globalThis as any).ArrayBuffer = undefined;",
	"(Function.prototype as any).call = (Function.prototype as any).apply = 1;",
	"(Symbol as any).prototype.valueOf = () => { throw 1; };",
	"(globalThis as any).Error = class { constructor() { throw 2; } };",
	"Object.freeze(globalThis);",
	"Object.freeze(Object.prototype); Object.freeze(Array.prototype);",
	"for (const key of Object.getOwnPropertyNames(globalThis)) { if (key !== 'tools' && key !== 'console') try { delete (globalThis as any)[key]; } catch {} }",
];

const statements: readonly [Fragment, ...Fragment[]] = [
	(pick) => guarded(`last = await (tools as any).${tool(pick)}(${value(pick)});`),
	(pick) => guarded(`last = await (tools as any).${tool(pick)}(${value(pick)}, ${value(pick)});`),
	(pick) => guarded(`(tools as any).${tool(pick)}(${value(pick)});`),
	(pick) => guarded(`console.log(${value(pick)});`),
	(pick) => guarded(`(console as any).${pick.of(["warn", "debug", "error"])}(${value(pick)}, last);`),
	(pick) => guarded(pick.of(poisons)),
	(pick) => `for (let i = 0; i < ${10 ** (1 + pick.below(4))}; i++) { ${guarded("last = String(i);")} }`,
	(pick) => `for (let i = 0; i < ${1 + pick.below(40)}; i++) { ${guarded(`last = await (tools as any).${tool(pick)}(${value(pick)});`)} }`,
	(pick) =>
		guarded(`const kept: any[] = []; for (let i = 0; i < ${1 + pick.below(60)}; i++) kept.push(new Uint8Array(1e6)); last = kept.length;`),
	(pick) =>
		guarded(
			`await Promise.all(Array.from({ length: ${1 + pick.below(1500)} }, () => (tools as any).time.wait({ ms: ${pick.below(3)} })));`,
		),
	() => guarded("const deep = (n: number): number => deep(n + 1) + 1; deep(0);"),
	(pick) => guarded(`throw ${value(pick)};`),
	(pick) =>
		guarded(
			`for (const name of Object.getOwnPropertyNames(globalThis)) { const found: any = (globalThis as any)[name]; if (typeof found === 'function') { try { last = found(${amount(pick)}, ${text(pick)}); } catch {} } }`,
		),
	(pick) =>
		guarded(
			`const g: any = globalThis; for (const name of ['__xwHost', 'process', 'require', 'Function', 'std', 'os', '__host']) { if (g[name] !== undefined) last = g[name](${value(pick)}); }`,
		),
	(pick) => guarded(`last = new RegExp('^(?:a|a)*$').test('a'.repeat(${5 + pick.below(15)}) + '!');`),
	() => guarded("label: for (;;) { switch (1) { case 1: break label; } }"),
	() => guarded("const tag = (parts: any, ...rest: any[]) => rest; last = tag`ab`;"),
	() => guarded("class P { static #x = 1; static has(o: any) { return #x in o; } } last = P.has(P);"),
	() => guarded("last = await new Promise((resolve) => resolve({ then: (r: any) => r(1) }));"),
	(pick) => guarded(`const { path = last, ...rest }: any = ${value(pick)}; last = rest;`),
	() => guarded("const w = new WeakRef({}); const f = new FinalizationRegistry(() => { throw 1; }); f.register({}, 1); last = w.deref();"),
	() => guarded("last = Reflect.construct(Date, [], class extends Array {} as any);"),
];

const endings: readonly [Fragment, ...Fragment[]] = [
	() => "return 'done'",
	(pick) => `return ${value(pick)}`,
	() => "return last",
	(pick) => `throw ${value(pick)}`,
	(pick) => `(tools as any).${tool(pick)}(${value(pick)})`,
	() => "",
];

const ENDLESS = [
	"for (;;) {}",
	"for (;;) await 0;",
	"await new Promise(() => {});",
	"for (;;) { try { await (tools as any).files.list({}); } catch {} }",
] as const;
const BROKEN = [
	"}",
	"({",
	"`${",
	"<!--",
	"return return",
	"import 'x'",
	"\u0000",
	"/*",
	"let let = 1",
	"async () => { await",
	"@",
	"enum E { A }",
] as const;

/** A program of hostile parts, TypeScript that the checker takes, or not even that. */
export function hostileProgram(seed: number): string {
	const pick = new Picker(seed);
	const count = 1 + pick.below(10);
	const parts = Array.from({ length: count }, () => pick.of(statements)(pick));
	if (pick.chance(0.03)) parts.push(pick.of(ENDLESS));
	if (pick.chance(0.06)) parts.splice(pick.below(parts.length), 0, pick.of(BROKEN));
	return ["let last: any = 0;", ...parts, pick.of(endings)(pick)].join("\n");
}
