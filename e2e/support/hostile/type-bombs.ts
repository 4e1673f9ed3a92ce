import type { Ending, HostileInput } from "./hostile-input.ts";

/** Whatever of the type checker's limits is reached is named. */
const checkLimit: Ending = {
	status: "failed",
	code: "LIMIT_EXCEEDED",
	message: /^Checking the program's types (?:took|needed) .* than \d+/,
};
const digits = "type D = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;";

/** Programs of a few lines that cost the TypeScript compiler more than 25 s each; the first two more than 1.4 GB as well (measured with 7.0.2). */
export const typeBombs: readonly HostileInput[] = [
	{
		name: "ten million mapped properties",
		prompt: `${digits} type T = \`\${D}\${D}\${D}\${D}\`; type M<X extends string> = { [K in T]: { a: X, k: K } }; type N = { [K in \`\${D}\${D}\${D}\`]: M<K> }; const n: N = 1 as any; const m: { [K in \`\${D}\${D}\${D}\`]: { [L in T]: { a: string, k: string } } } = n; return m`,
	},
	{
		name: "every order of nine types as tuples",
		prompt:
			"type P<U, T = U> = [T] extends [never] ? [] : T extends any ? [T, ...P<Exclude<U, T>>] : never; const p: P<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8> = [] as any; return p",
	},
	{
		name: "a conditional type of four million branches",
		prompt:
			"type E<N extends unknown[], X> = N['length'] extends 22 ? X : E<[...N, 0], { a: X, n: N }> | E<[...N, 0], { b: X, n: N }>; const e: E<[], 0> = 1 as any; return e",
	},
	{
		name: "a recursive tuple that never gets longer",
		prompt: "type R<A extends unknown[]> = A['length'] extends 900 ? A : R<[...A, A]>; const r: R<[]> = 1 as any; return r",
	},
].map((bomb) => ({ ...bomb, ends: [checkLimit] }));
