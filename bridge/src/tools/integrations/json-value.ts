import { formatBytes } from "@xworkmate/contracts";

/** The deepest nesting of a value, checked before it is serialized, because serializing recurses. */
const DEPTH = 64;
const MEMBERS = 100_000;
const BYTES = 8 * 2 ** 20;

/** The JSON of a value that a program passes, or why it has none. Walks without recursion. */
export function jsonOfInput(input: unknown): { readonly json: string } | { readonly problem: string } {
	const problem = problemOf(input);
	if (problem !== undefined) return { problem };
	let json: string | undefined;
	try {
		json = JSON.stringify(input);
	} catch {
		return { problem: "The input can't be converted to JSON." };
	}
	if (json === undefined) return { problem: "The input is missing." };
	if (Buffer.byteLength(json) > BYTES) return { problem: `The input is larger than ${formatBytes(BYTES)}.` };
	return { json };
}

/** Why a value must not be passed on: it is too deep or too large, or has a member that could change other objects. */
export function problemOf(value: unknown): string | undefined {
	let members = 0;
	let level: readonly unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > DEPTH) return `The value is nested more than ${DEPTH} levels deep.`;
		const next: unknown[] = [];
		for (const element of level) {
			if (typeof element !== "object" || element === null) continue;
			if (!Array.isArray(element) && Object.hasOwn(element, "__proto__")) return 'The value has a member named "__proto__".';
			const children = Object.values(element);
			members += children.length;
			if (members > MEMBERS) return `The value has more than ${MEMBERS.toLocaleString("en")} members.`;
			for (const child of children) next.push(child);
		}
		level = next;
	}
	return undefined;
}
