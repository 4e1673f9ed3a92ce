import { completed, type Ending, type HostileInput, limit, threw } from "./hostile-input.ts";

/** Programs that use more than they may. Each is ended by a limit, which is named with its figure, or as its `ends` say otherwise. */
export const limitInputs: readonly HostileInput[] = [
	{
		name: "memory without an end",
		prompt: "const kept: any[] = []; for (;;) kept.push(new Uint8Array(1e6).fill(1))",
		ends: [limit("memoryBytes")],
	},
	{
		name: "a text that doubles",
		prompt: "let t = 'x'; for (;;) t += t",
		// Ended by the engine's longest string before its memory.
		ends: [limit("memoryBytes"), threw()],
	},
	{
		name: "memory that is caught and asked for again",
		prompt:
			"const kept: any[] = []; for (let i = 0; i < 100; i++) { try { kept.push(new Array(1e6).fill(i)); } catch {} } return 'went on'",
		ends: [limit("memoryBytes"), completed("went on")],
	},
	{
		name: "a promise flood",
		prompt: "const open: any[] = []; for (;;) open.push(new Promise(() => {}))",
		ends: [limit("memoryBytes")],
		isSlow: true,
	},
	{
		name: "200,000 settled promises",
		prompt: "let n = 0; await Promise.all(Array.from({ length: 200000 }, async () => { n++; })); return String(n)",
		ends: [completed("200000"), limit("memoryBytes")],
		isSlow: true,
	},
	{ name: "a console line of 5 MB", prompt: "console.log('x'.repeat(5e6)); return 'said'", ends: [limit("outputBytes")] },
	{
		name: "a console line of 20 MB",
		prompt: "console.log('x'.repeat(2e7)); return 'said'",
		ends: [limit("outputBytes"), limit("callBytes")],
	},
	{
		name: "console lines of 1 MB for ever",
		prompt: "const t = 'é'.repeat(5e5); for (;;) { try { console.log(t); } catch {} }",
		ends: [limit("outputBytes")],
	},
	{ name: "a returned text of 5 MB", prompt: "return 'x'.repeat(5e6)", ends: [limit("outputBytes")] },
	{ name: "a returned text of 20 MB", prompt: "return 'x'.repeat(2e7)", ends: [limit("outputBytes"), limit("callBytes")] },
	{
		name: "a file of 9 MB in one write",
		prompt: "const answer: any = await tools.files.write({ path: 'a', text: 'x'.repeat(9e6) }); return String(answer.ok)",
		ends: [limit("callBytes")],
	},
];

/** XWORKMATE_RUN_BUDGET_MS for the endless ones: nothing else may end them, and not before. */
export const SMALL_BUDGET_MS = 1_000;

/** Ended by the run's time, which is reported as the program's limit or as the run's deadline. */
export function timeIsOver(budgetMs: number): readonly Ending[] {
	return [
		limit("timeMs", `The program ran longer than ${budgetMs / 1000} s (timeMs).`),
		{ status: "interrupted", code: "DEADLINE_EXCEEDED" },
	];
}

/** Programs without their own end. */
export const endlessInputs: readonly HostileInput[] = [
	{ name: "an endless loop", prompt: "while (true) {}" },
	{ name: "an endless loop that catches", prompt: "for (;;) { try { for (;;) {} } catch {} finally { continue; } }" },
	{ name: "an endless chain of microtasks", prompt: "for (;;) await undefined" },
	{ name: "a regular expression that backtracks", prompt: "return String(/^(a+)+$/.test('a'.repeat(60) + '!'))" },
	{ name: "a sort that never ends", prompt: "for (;;) Array.from({ length: 1e5 }, (_, i) => (i * 7919) % 1e5).sort((a, b) => a - b)" },
	{
		name: "sparse arrays handed to the host for ever",
		prompt:
			"const host: any = (globalThis as any).__xwHost; const a: any = []; a.length = 300000; for (;;) { try { host.files_write({}, a); } catch {} }",
	},
	{
		name: "a number of a million digits, again and again",
		prompt: "let n = 3n; for (;;) n = (n * n) % (2n ** 100000n)",
	},
].map((input) => ({ ...input, ends: timeIsOver(SMALL_BUDGET_MS) }));

/** Has nothing left to do and no end: told at once, or ended by its time. */
export const stuckInput: HostileInput = {
	name: "a promise that nobody resolves",
	prompt: "await new Promise(() => {}); return 'never'",
	ends: [threw(), ...timeIsOver(SMALL_BUDGET_MS)],
};
