import { completed, type HostileInput } from "./hostile-input.ts";

/** Honest programs that work hard. Every one completes: no limit that is documented forbids what it does. */
export const heavyPrograms: readonly HostileInput[] = [
	{
		name: "a loop of 100,000,000 steps",
		prompt: "let sum = 0; for (let i = 0; i < 1e8; i++) sum += i & 1; return String(sum)",
		ends: [completed("50000000")],
		isSlow: true,
	},
	{
		name: "three writes of 7 MB",
		prompt:
			"for (let n = 0; n < 3; n++) { const answer = await tools.files.write({ path: n + '.txt', text: String(n).padEnd(7e6, 'x') }); if (!answer.ok) throw new Error(answer.error.message); } return 'wrote'",
		ends: [completed("wrote")],
	},
	{
		name: "20 sorts of 300,000 numbers",
		prompt:
			"let last = 0; for (let n = 0; n < 20; n++) { const a = Array.from({ length: 300000 }, (_, i) => (i * 7919 + n) % 300007); a.sort((x, y) => x - y); last = a[299999] ?? 0; } return String(last)",
		ends: [completed(/^\d+$/)],
		isSlow: true,
	},
	{
		name: "2,000 tool calls and 2,000 console lines",
		prompt: "for (let n = 0; n < 2000; n++) { console.log('line ' + n); await tools.files.list({}); } return 'all 2000'",
		ends: [completed("all 2000")],
	},
];

/** The same, with almost as much as the documented limits allow; each takes many seconds. */
export const longPrograms: readonly HostileInput[] = [
	{
		name: "49,000 console lines",
		prompt: "for (let n = 0; n < 49000; n++) console.log('line ' + n); return 'all 49000'",
		ends: [completed("all 49000")],
	},
	{
		name: "45,000 tool calls",
		prompt: "for (let n = 0; n < 45000; n++) await tools.files.list({}); return 'all 45000'",
		ends: [completed("all 45000")],
	},
];

/** So many tool calls, and as many console lines. */
export function manyCallsAndLines(count: number): HostileInput {
	return {
		name: `${count} tool calls and as many console lines`,
		prompt: `for (let n = 0; n < ${count}; n++) { console.log('line ' + n); if (n % 9 === 0) await tools.time.wait({ ms: 0 }); else await tools.files.list({}); } return 'all'`,
		ends: [completed("all")],
	};
}
