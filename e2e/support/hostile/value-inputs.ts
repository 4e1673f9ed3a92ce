import { completed, type HostileInput, invalid, limit, threw, toolFailed } from "./hostile-input.ts";

/** Ends of a program that hands a tool what it does not take: it is told so, or ended by name, and never by a fault of the bridge. */
const ended = [toolFailed(), threw(), limit("callBytes"), limit("callMembers"), limit("memoryBytes")];
const refusedOrEnded = [completed(), ...ended];
const refusedInput = [completed("INVALID_INPUT"), ...ended];
const sparse = "const a: any = []; a.length = 4294967295;";

/** Calls the host's own functions, should there be any in reach, as a program that goes round its tools would. */
const host = (call: string) => `const host: any = (globalThis as any).__xwHost; ${call}`;

/** Values and calls that cost the bridge more than the program, or did. */
export const valueInputs: readonly HostileInput[] = [
	{
		name: "a sparse array handed to the host itself",
		prompt: host(`${sparse} return String(host.files_write({}, a))`),
		ends: refusedOrEnded,
	},
	{
		name: "a sparse array of a million handed to the host itself",
		prompt: host("const a: any = []; a.length = 1e6; return String(host.files_write({}, a))"),
		ends: refusedOrEnded,
	},
	{
		name: "one array of 8 MB named a hundred times in one call of the host",
		prompt: host(
			"const u = new Uint8Array(8e6); const e: any = []; for (let i = 0; i < 100; i++) e.push(['k' + i, u]); return String(host.files_write({}, e))",
		),
		ends: refusedOrEnded,
	},
	...["files.write", "files.read", "files.list", "time.wait"].flatMap((tool): HostileInput[] => [
		{
			name: `a sparse array to ${tool}`,
			prompt: `${sparse} const answer = await (tools as any).${tool}(a); return answer.ok ? 'taken' : answer.error.code`,
			ends: refusedInput,
			...(tool === "files.write" ? {} : { isSlow: true }),
		},
		{
			name: `sparse arrays in the input of ${tool}`,
			prompt: `${sparse} const answer = await (tools as any).${tool}({ path: a, text: a, base64: a, ms: a }); return answer.ok ? 'taken' : answer.error.code`,
			ends: refusedInput,
			isSlow: true,
		},
	]),
	{
		name: "one text of 8 MB named a hundred times in one call",
		prompt:
			"const t = 'x'.repeat(8e6); const o: any = {}; for (let i = 0; i < 100; i++) o['k' + i] = t; const answer: any = await tools.files.write(o); return answer.ok ? 'taken' : answer.error.code",
		ends: refusedInput,
	},
	{
		name: "an object of 200,000 keys",
		prompt:
			"const o: any = {}; for (let i = 0; i < 200000; i++) o['key' + i] = i; const answer: any = await tools.files.write(o); return answer.ok ? 'taken' : answer.error.code",
		ends: refusedInput,
	},
	{
		name: "a path of 7 MB",
		prompt:
			"const answer: any = await tools.files.write({ path: 'p'.repeat(7e6), text: 'x' }); return answer.ok ? 'taken' : answer.error.code",
		ends: [completed(/^[A-Z_]+$/), toolFailed(), threw(), limit("callBytes")],
	},
	{
		name: "a path of 7 MB to read",
		prompt: "const answer: any = await tools.files.read({ path: 'p'.repeat(7e6) }); return answer.ok ? 'taken' : answer.error.code",
		ends: [completed(/^[A-Z_]+$/), threw(), limit("callBytes")],
	},
	{
		name: "an object nested 100,000 deep",
		prompt:
			"let o: any = {}; for (let i = 0; i < 100000; i++) o = { o }; const answer: any = await tools.files.write(o); return answer.ok ? 'taken' : answer.error.code",
		ends: refusedOrEnded,
	},
	{
		name: "a returned value nested 100,000 deep",
		prompt: "let o: any = []; for (let i = 0; i < 100000; i++) o = [o]; return o",
		ends: refusedOrEnded,
	},
	{
		name: "a value that holds itself",
		prompt: "const o: any = {}; o.self = o; const answer: any = await tools.files.write(o); return answer.ok ? 'taken' : answer.error.code",
		ends: refusedOrEnded,
	},
	{
		name: "getters that throw, count and change",
		prompt:
			"let n = 0; const o: any = { get path() { n++; return n === 1 ? 'a.txt' : '../' + n; }, get text() { if (n > 3) throw new Error('trap'); return 'x'.repeat(n); } }; const answer: any = await tools.files.write(o); return String(answer.ok)",
		ends: [completed(/^(?:true|false)$/), threw(), toolFailed()],
	},
	{
		name: "a Proxy whose every trap throws",
		prompt:
			"const handler: any = new Proxy({}, { get: () => () => { throw new Error('trap'); } }); const o: any = new Proxy({}, handler); const answers: string[] = []; for (const call of [tools.files.write, tools.files.read, tools.files.list, tools.time.wait] as any[]) { try { answers.push(String((await call(o)).ok)); } catch (error: any) { answers.push('threw'); } } return answers.join()",
		ends: [completed(/^(?:false|threw)(?:,(?:true|false|threw)){3}$/), threw()],
	},
	{
		name: "a Proxy with endless keys",
		prompt:
			"const o: any = new Proxy({}, { ownKeys: () => Array.from({ length: 50000 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }); const answer: any = await tools.files.write(o); return String(answer.ok)",
		ends: refusedOrEnded,
	},
	{
		name: "toJSON that lies",
		prompt:
			"const o: any = { path: 'a.txt', text: 'x', toJSON: () => ({ path: '../../escape.txt', text: 'y' }) }; const answer: any = await tools.files.write(o); return String(answer.ok)",
		ends: [completed(/^(?:true|false)$/), threw(), toolFailed()],
	},
	{
		name: "Symbol.toPrimitive that throws and grows",
		prompt:
			"let n = 0; const p: any = { [Symbol.toPrimitive]: () => { n++; if (n > 2) throw new Error('trap'); return 'x'.repeat(1e6); }, toString: () => { throw new Error('trap'); } }; console.log(p); const answer: any = await tools.files.write({ path: p, text: p }); return String(answer.ok)",
		ends: [completed("false"), threw(), toolFailed()],
	},
	{
		name: "exotic values to every tool",
		prompt:
			"const odd: any[] = [undefined, null, NaN, -0, 1e308, 2n ** 64n, Symbol('s'), () => 1, new Date(NaN), /x/, new Map([[1, 1]]), new Set([1]), new WeakMap(), new ArrayBuffer(8), new Float64Array(4), new DataView(new ArrayBuffer(4)), Promise.resolve(1), '\\ud800', '\\u0000', [[[]]], Object.create(null), new Error('e')]; const answers: string[] = []; for (const call of [tools.files.write, tools.files.read, tools.files.list, tools.time.wait] as any[]) for (const value of odd) for (const input of [value, { path: value, text: value, ms: value }]) { try { const answer = await call(input); answers.push(answer.ok ? 'ok' : answer.error.code); } catch { answers.push('threw'); } } return String(answers.length)",
		ends: [completed("176"), threw(), toolFailed()],
	},
	{
		name: "names of Object.prototype as keys",
		prompt:
			'const o: any = JSON.parse(\'{"__proto__":{"path":"a.txt","text":"x"},"constructor":1}\'); const answer: any = await tools.files.write(o); return answer.ok ? \'taken\' : answer.error.code',
		ends: [completed("INVALID_INPUT"), toolFailed()],
	},
	{
		name: "a promise for every tool at once, two thousand times",
		prompt:
			"const open: any[] = []; for (let i = 0; i < 2000; i++) open.push(tools.time.wait({ ms: 1 })); await Promise.allSettled(open); return 'settled'",
		ends: [completed("settled"), threw(/1000/)],
	},
	{
		name: "a wait that nobody awaits",
		prompt: "tools.time.wait({ ms: 1000000 }); return 'gone'",
		ends: [threw(/await every tool call/), invalid()],
	},
	{
		name: "writes that nobody awaits",
		prompt: "for (let i = 0; i < 20; i++) tools.files.write({ path: 'f' + i, text: 'x' }); return 'gone'",
		ends: [completed("gone"), threw(/await every tool call/), invalid()],
	},
];
