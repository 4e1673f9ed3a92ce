import { completed, type HostileInput, invalid, limit, threw } from "./hostile-input.ts";

const fence = "```";
/** A program whose poison must not reach the tools: it completes, or fails by its own hand. */
const ownFault = [completed(), threw(), limit("memoryBytes"), limit("callBytes")];
const thenWrite =
	"const answer: any = await tools.files.write({ path: 'a.txt', text: 'still here' }); console.log('said'); return String(answer.ok)";

function poison(name: string, statements: string): HostileInput {
	return { name: `poisoned ${name}`, prompt: `${statements} ${thenWrite}`, ends: ownFault };
}

/** Prompts, syntax and intrinsics. */
export const languageInputs: readonly HostileInput[] = [
	{
		name: "a fence with 20,000 spaces and a backquote",
		prompt: `${fence}${" ".repeat(20_000)}\`\n`,
		ends: [invalid()],
	},
	{
		name: "a fence with 20,000 tabs, twice, and no end",
		prompt: `${"\t".repeat(20_000)}${fence}ts${"\t".repeat(20_000)}\`${"\t".repeat(20_000)}`,
		ends: [invalid()],
	},
	{ name: "a program of 300 kB", prompt: `/*${"x".repeat(300_000)}*/ return 1`, ends: [limit("programBytes")] },
	{ name: "a prompt of 4 MB", prompt: `/*${"x".repeat(4_000_000)}*/ return 1`, ends: [limit("programBytes")] },
	{
		name: "a prompt of 39 MB",
		prompt: "x".repeat(39_000_000),
		ends: [
			{ status: "refused", code: "INVALID_PARAMS" },
			{ status: "refused", code: "PAYLOAD_TOO_LARGE" },
		],
	},
	{ name: "40,000 brackets", prompt: `return ${"[".repeat(40_000)}${"]".repeat(40_000)}`, ends: [invalid(), limit("memoryBytes")] },
	{ name: "20,000 arrow functions in each other", prompt: `return (${"()=>".repeat(20_000)}1)`, ends: [invalid()] },
	{ name: "a chain of 60,000 additions", prompt: `return 1${"+1".repeat(60_000)}`, ends: [invalid(), completed("60001")] },
	{ name: "a chain of 20,000 conditions", prompt: `return ${"0?1:".repeat(20_000)}2`, ends: [invalid(), completed("2")] },
	{ name: "30,000 blocks in each other", prompt: `${"{".repeat(30_000)}${"}".repeat(30_000)} return 1`, ends: [invalid(), completed("1")] },
	{
		name: "a comment of the old kind that hides a brace from the type checker",
		prompt: `${fence}js\nconst x = 1\n<!-- }); globalThis.out = function () { return this === undefined ? 'strict' : 'BROKE OUT' }; (async function () { /*\nreturn String(x) // */\n${fence}\n`,
		ends: [invalid(), threw(), completed(/^(?!.*BROKE OUT)/)],
	},
	{
		name: "a comment of the old kind in TypeScript",
		prompt: `${fence}ts\nlet a = 3, b = 1;\nconst c = a <!--b;\nreturn String(c)\n${fence}\n`,
		ends: [completed(), invalid(), threw()],
	},
	{
		name: "an arrow comment of the old kind",
		prompt: `${fence}js\nlet a = 3\n--> this is not code\nreturn String(a)\n${fence}\n`,
		ends: [completed(), invalid(), threw()],
	},
	{
		name: "braces that close the program's function",
		prompt: "}); globalThis.tools = undefined; (async function () {",
		ends: [invalid()],
	},
	{
		name: "eval, Function and import",
		prompt: "const f: any = Function; try { (0, eval)('1'); f('return this')(); } catch {} return 'alive'",
		ends: [...ownFault, invalid()],
	},
	{
		name: "recursion without an end",
		prompt: "function f(n: number): number { return f(n + 1) + 1; } return String(f(0))",
		ends: [threw()],
	},
	{
		name: "recursion that is caught and begun again",
		prompt: "let n = 0; function f(): void { n++; try { f(); } catch { if (n < 20000) f(); } } try { f(); } catch {} return 'back'",
		ends: [completed("back"), threw(), limit("memoryBytes")],
	},
	poison(
		"Array.prototype",
		"const A: any = Array.prototype; A.map = A.push = A.join = A[Symbol.iterator] = () => { throw new Error('poison'); }; Object.defineProperty(A, '0', { set() { throw new Error('poison'); }, configurable: true });",
	),
	poison(
		"Object",
		"const O: any = Object; O.keys = O.entries = O.create = O.is = O.freeze = O.defineProperty = () => { throw new Error('poison'); }; Object.prototype.toString = () => 'poison';",
	),
	poison(
		"Object.prototype.then",
		"(Object.prototype as any).then = function (resolve: any) { resolve({ ok: false, error: { code: 'POISON' } }); };",
	),
	poison("JSON", 'const J: any = JSON; J.stringify = () => \'{"path":"../x"}\'; J.parse = () => ({ ok: true });'),
	poison(
		"Promise",
		"const P: any = Promise; P.prototype.then = () => { throw new Error('poison'); }; P.resolve = P.all = () => { throw new Error('poison'); }; (globalThis as any).Promise = class {};",
	),
	poison(
		"String and typed arrays",
		"const S: any = String.prototype; S.isWellFormed = S.charCodeAt = () => { throw new Error('poison'); }; const U: any = globalThis; U.Uint8Array = U.Uint16Array = U.TextEncoder = function () { throw new Error('poison'); };",
	),
	poison(
		"Map, Symbol and Reflect",
		"const G: any = globalThis; G.Map.prototype.get = G.Map.prototype.set = () => { throw new Error('poison'); }; G.Reflect = undefined; G.Error = undefined; G.Map = undefined;",
	),
	poison("Function.prototype", "const F: any = Function.prototype; F.call = F.apply = F.bind = () => { throw new Error('poison'); };"),
	poison(
		"tools",
		"try { (tools as any).files.write = () => 1; } catch {} try { Object.defineProperty(globalThis, 'tools', { value: 1 }); } catch {} try { (console as any).log = null; } catch {}",
	),
];
