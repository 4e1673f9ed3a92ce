/** A program that attacks what it runs in, or what it calls. Destructive calls are denied by the user's rule. */
export interface ProgramAttack {
	readonly name: string;
	readonly program: string;
	/** The whole output of the program; a RegExp: its status, code, message and output. */
	readonly ends: string | RegExp;
	/** `n` of each call that may have acted. */
	readonly acts?: readonly number[];
}

const g = "const g = globalThis as any; const w = tools.world as any;";
const attempt = (work: string) => `let end = "done"; try { ${work} } catch (error) { end = (error as Error).name; } `;
/** A change of something that is frozen, and a call after it. */
const frozen = (name: string, work: string): ProgramAttack => ({
	name,
	program: `${g} ${attempt(work)} const r: any = await tools.world.make({ n: 1 }); return end + r.value?.n;`,
	ends: "TypeError1",
	acts: [1],
});
/** Something that has to be denied or to fail: a call of a denied tool in another way, or code made of text. */
const denied = (name: string, work: string): ProgramAttack => ({
	name,
	program: `${g} ${work}`,
	ends: /^completed {2}DENIED$|^failed SCRIPT_(ERROR|INVALID) /,
});
const invalid = (name: string, input: string): ProgramAttack => ({
	name,
	program: `${g} const r = await w.make(${input}); return r.ok ? "acted" : r.error.code;`,
	ends: "INVALID_INPUT",
});
const passes = (name: string, work: string, n: number): ProgramAttack => ({ name, program: `${g} ${work}`, ends: String(n), acts: [n] });

export const programAttacks: readonly ProgramAttack[] = [
	{
		name: "reaches for the globals of Node and of browsers",
		program: `${g} return ["process", "require", "module", "fetch", "WebSocket", "Worker", "Buffer", "setTimeout", "eval", "performance", "queueMicrotask"].filter((name) => g[name] !== undefined).join() || "none";`,
		ends: "none",
	},
	{ name: "imports a module", program: 'const fs = await import("node:fs" as any); return typeof fs;', ends: /^failed SCRIPT_/ },
	{ name: "imports itself a URL", program: 'return typeof await import("data:text/javascript,1" as any);', ends: /^failed SCRIPT_/ },
	denied("makes code of text", 'return g.Function("return 1")();'),
	denied("makes code by the constructor of a tool", 'return w.look.constructor("return 1")();'),
	denied("makes code by the constructor of an async function", 'return await (async () => 1).constructor("return 1")();'),
	denied("makes code by the constructor of a generator", 'return (function* () {}).constructor("return 1")().next().value;'),
	denied("makes code by an answer", 'return (await tools.world.look({ n: 0 }) as any).constructor.constructor("return 1")();'),
	{
		name: "looks for the functions of the host among the globals",
		program: `${g} return Object.getOwnPropertyNames(g).filter((name) => /host|begin|settle|deliver|std|^os$|bjson|scriptArgs|print$|navigator/i.test(name)).join() || "none";`,
		ends: "none",
	},
	{
		name: "reads the frames of its callers",
		program: `${g} let seen = "none"; (Error as any).prepareStackTrace = (_: unknown, frames: any) => { seen = Array.isArray(frames) && frames.some((frame: any) => frame.getThis?.() || frame.getFunction?.()) ? "seen" : "none"; return ""; }; void new Error("x").stack; return seen;`,
		ends: /^completed {2}none$|^failed SCRIPT_ERROR /,
	},
	frozen("replaces a tool", "w.make = () => ({ ok: true });"),
	frozen("replaces all tools", "g.tools = {};"),
	frozen("defines a tool anew", 'Object.defineProperty(tools.world, "make", { value: () => 1 });'),
	frozen("adds a tool", "w.erase = () => 1;"),
	frozen("pollutes all objects", "(Object.prototype as any).ok = true;"),
	frozen("makes every object a promise", "(Object.prototype as any).then = (done: any) => done(666);"),
	frozen("pollutes all arrays", "(Array.prototype as any).push = () => 666;"),
	frozen("takes the settling of calls by Map.prototype", "(Map.prototype as any).set = () => 666;"),
	frozen("reads the answers of others by Promise.prototype.then", "(Promise.prototype as any).then = () => 666;"),
	frozen("changes what promises make of each other", "Object.defineProperty(Promise, Symbol.species, { value: class {} });"),
	frozen("replaces JSON.stringify", "(JSON as any).stringify = () => '{\"n\":666}';"),
	frozen("sets the clock", "(Date as any).now = () => 0;"),
	frozen("sets the prototype of the tools", "Object.setPrototypeOf(tools.world, { erase: () => 1 });"),
	passes(
		"replaces the globals that pass inputs",
		"g.JSON = { stringify: () => 1 }; g.Object = { keys: () => [] }; const r = await w.make({ n: 2 }); return r.value.n;",
		2,
	),
	passes("replaces Promise and Map", "g.Promise = class {}; g.Map = class {}; const r = await w.make({ n: 3 }); return r.value.n;", 3),
	passes(
		"changes how arrays are walked",
		"const walk: any = Object.getPrototypeOf([][Symbol.iterator]()); try { walk.next = () => ({ done: true }); } catch {} const r = await w.make({ n: 4 }); return r.value.n;",
		4,
	),
	passes("gives an input whose getter changes", "let i = 5; const r = await w.make({ get n() { return i++; } }); return r.value.n;", 5),
	passes("gives an input whose toJSON changes", "let i = 6; const r = await w.make({ toJSON: () => ({ n: i++ }) }); return r.value.n;", 6),
	passes(
		"gives a proxy",
		"let i = 7; const r = await w.make(new Proxy({ n: 0 }, { get: (o: any, k) => k === 'n' ? i++ : o[k] })); return r.value.n;",
		7,
	),
	passes("changes the input after the call", "const i = { n: 8 }; const p = w.make(i); i.n = 666; return (await p).value.n;", 8),
	passes("gives more arguments", "return (await w.make({ n: 9 }, { n: 666 }, 'call-1')).value.n;", 9),
	passes("gives an input without a prototype", "return (await w.make(Object.assign(Object.create(null), { n: 10 }))).value.n;", 10),
	passes("gives symbols for keys", "return (await w.make({ n: 11, [Symbol('n')]: 666 })).value.n;", 11),
	invalid("gives an own __proto__", 'JSON.parse(\'{"n":1,"__proto__":{"n":2}}\')'),
	invalid("gives a constructor", "{ n: 1, constructor: { prototype: {} } }"),
	invalid("gives what is not a number", "{ n: NaN }"),
	invalid("gives a bigint", "{ n: 1n }"),
	invalid("gives a cycle", "(() => { const a: any = { n: 1 }; a.a = a; return a; })()"),
	invalid("gives an input 10,000 deep", "(() => { let a: any = 1; for (let i = 0; i < 10_000; i++) a = { a }; return a; })()"),
	invalid("gives a function", "() => 1"),
	invalid("gives an input of 900 kB that the tool does not know", '{ n: 1, text: "x".repeat(900_000) }'),
	invalid("gives an input whose getter throws", '{ get n() { throw new Error("no"); } }'),
	denied(
		"gives an input of 2 MB",
		'const r = await w.make({ n: 1, text: "x".repeat(2_000_000) }); return r.ok ? "acted" : r.error.code === "INVALID_INPUT" ? "DENIED" : r.error.code;',
	),
	denied("calls what is denied by a computed name", 'const r = await w[["de", "stroy"].join("")]({ n: 1 }); return r.error.code;'),
	denied("calls what is denied with another this", "return (await w.destroy.call(w.make, { n: 1 })).error.code;"),
	denied("constructs what is denied", "return (await new w.destroy({ n: 1 })).error.code;"),
	denied(
		"asks again and again",
		"let r: any; for (let i = 0; i < 20; i++) { try { r = await w.destroy({ n: 1 }); } catch {} } return r.error.code;",
	),
	denied("calls a tool by its id", 'const r = await w["world.thing.destroy"]({ n: 1 }); return r.error.code;'),
	denied("calls a tool by the name that the host knows", 'const r = await g.tools["world_destroy"]({ n: 1 }); return r.error.code;'),
	denied("calls a tool with letters that look alike", "const r = await tools.wоrld.destroy({ n: 1 }); return r.error.code;"),
	denied("calls a tool of all objects", 'const r = await w.hasOwnProperty({ n: 1 }); return r === false ? "DENIED" : r;'),
	{
		name: "makes a success of a denial",
		program: "const r = await tools.world.destroy({ n: 1 }) as any; r.ok = true; return r.ok;",
		ends: /^completed {2}true$|^failed SCRIPT_ERROR /,
	},
	{
		name: "returns before an answer",
		program: "void tools.world.look({ n: 12 }); return 1;",
		ends: /^failed SCRIPT_ERROR .*await every tool call/s,
		acts: [12],
	},
	{
		name: "returns the first of two answers",
		program: "const r = await Promise.race([tools.world.look({ n: 13, beforeMs: 300 }), tools.time.wait({ ms: 1 })]); return typeof r;",
		ends: /^failed SCRIPT_ERROR .*await every tool call/s,
		acts: [13],
	},
	{
		name: "measures how long it computes",
		program: "const a = Date.now(); for (let i = 0; i < 1_000_000; i++) Math.random(); return Date.now() - a;",
		ends: "0",
	},
	{
		name: "makes 200 calls at once",
		program:
			"const all = await Promise.all(Array.from({ length: 200 }, () => tools.world.look({ n: 14 }))); return all.filter((r) => r.ok).length + ' ' + all.filter((r) => !r.ok && r.error.code === 'LIMIT_EXCEEDED').length;",
		ends: "64 136",
		acts: Array.from({ length: 64 }, () => 14),
	},
	{
		name: "takes all memory",
		program: "const a: unknown[] = []; for (;;) a.push(new Array(1_000_000).fill(a));",
		ends: /^failed LIMIT_EXCEEDED /,
	},
	{ name: "prints without end", program: "for (;;) console.log('x');", ends: /^failed LIMIT_EXCEEDED / },
	{
		name: "throws what cannot be read",
		program: "throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 1; } });",
		ends: /^failed SCRIPT_ERROR /,
	},
	{
		name: "waits for what never comes, after it acted",
		program: "await tools.world.make({ n: 15 }); await new Promise(() => undefined); return 1;",
		ends: /^failed SCRIPT_/,
		acts: [15],
	},
];
