import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureJson } from "../../src/json/measure-json.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const measure = (text: string, bounds: { depth?: number; members?: number; stringBytes?: number }) =>
	measureJson(bytes(text), { depth: 1_000, members: 1_000_000, ...bounds });

describe("measureJson", () => {
	it("counts levels, not brackets in strings", () => {
		expect(measure('[{"a":["[{\\"[{"]}]', { depth: 3 })).toBeUndefined();
		expect(measure('[{"a":["[{\\"[{"]}]', { depth: 2 })).toBe("deep");
		expect(measure("[]".repeat(50), { depth: 1 })).toBeUndefined();
	});

	it("counts the entries of objects and the elements of arrays", () => {
		const array = (count: number) => `[${Array(count).fill("1").join(",")}]`;
		const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(",")}}`;
		for (const text of [array, object]) {
			expect(measure(text(90), { members: 100 })).toBeUndefined();
			expect(measure(text(101), { members: 100 })).toBe("many");
		}
		expect(measure("[]".repeat(101), { members: 100 })).toBe("many");
	});

	it("counts long keys, numbers, white space and escapes, but no plain text of values", () => {
		const megabyte = 1_000_000;
		expect(measure(`{"a":"${"x".repeat(megabyte)}"}`, { members: 10 })).toBeUndefined();
		expect(measure(`{"${"x".repeat(megabyte)}":1}`, { members: 10 })).toBe("many");
		expect(measure(`["${'\\"'.repeat(megabyte)}"]`, { members: 10 })).toBe("many");
		expect(measure(" ".repeat(megabyte), { members: 10 })).toBe("many");
		expect(measure("1".repeat(megabyte), { members: 10 })).toBe("many");
	});

	it("bounds one string, in which the longest escape counts as one byte", () => {
		for (const text of ["x", "\\n", "\\u0001", 'x\\"', "é"]) {
			const string = text.repeat(100);
			expect(measure(`["${string}"]`, { stringBytes: Buffer.byteLength(JSON.parse(`"${string}"`)) })).toBeUndefined();
		}
		for (const text of ["x", "\\u0001"]) expect(measure(`["","${text.repeat(101)}"]`, { stringBytes: 100 })).toBe("long");
		expect(measure(`{"${"x".repeat(101)}":""}`, { stringBytes: 100 })).toBe("long");
		expect(measure(`["${"x".repeat(100)}","${"x".repeat(100)}"]`, { stringBytes: 100 })).toBeUndefined();
	});

	it("finds the end of a string behind backslashes, near and far", () => {
		for (const length of [0, 1, 62, 63, 64, 65, 200]) {
			const text = "x".repeat(length);
			expect(measure(`["${text}\\\\"],["${text}"]`, { depth: 1 })).toBeUndefined();
			expect(measure(`["${text}\\"[[[[",[]]`, { depth: 2 })).toBeUndefined();
			expect(measure(`["${text}\\\\",[]]`, { depth: 1 })).toBe("deep");
			expect(measure(`["${text}\\"[[[[`, { depth: 1 })).toBeUndefined();
		}
	});

	it("never counts less than a parser finds", () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 6 }), fc.nat(40), fc.nat(6), (text, members, depth) => {
				const found = measure(text, { members, depth });
				const actual = shape(JSON.parse(text));
				if (actual.depth > depth || actual.members > members) expect(found).toBeDefined();
				// A string value counts nothing; everything else of so short a text is at most a few members.
				else if (found === "deep") expect(actual.depth).toBeGreaterThan(depth);
			}),
			{ numRuns: 2_000 },
		);
	});
});

function shape(value: unknown): { readonly depth: number; readonly members: number } {
	if (typeof value !== "object" || value === null) return { depth: 0, members: 0 };
	const inner = Object.values(value).map(shape);
	return {
		depth: 1 + Math.max(0, ...inner.map((part) => part.depth)),
		members: inner.reduce((sum, part) => sum + part.members, inner.length),
	};
}
