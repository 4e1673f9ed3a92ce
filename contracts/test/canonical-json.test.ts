import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../src/json/canonical-json.ts";

/** Any JSON value, with what is rare in practice: keys that objects inherit, minus zero, numbers with exponents. */
const jsonValue = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5 },
		fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.constantFrom(-0, 1e21, 1e-7, 5e-324, 2 ** 53, 333333333.3333333, true, false, null),
		fc.array(tie("value"), { maxLength: 5 }),
		fc
			.array(
				fc.tuple(
					fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "constructor", "1", "10", "9", "\u{1f600}", "\ufb33")),
					tie("value"),
				),
				{
					maxLength: 6,
				},
			)
			.map((entries) => Object.fromEntries(entries.filter(([key]) => key.isWellFormed()))),
	),
})).value;

describe("canonical JSON", () => {
	it("[T1-54] is the text that another implementation of RFC 8785 writes, and reads back as the same value", () => {
		fc.assert(
			fc.property(jsonValue, (value) => {
				const text = canonicalJson(value);
				expect(text).toBe(canonicalize(value));
				expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
			}),
			{ numRuns: 500 },
		);
	});

	it("does not depend on the order in which members were added", () => {
		expect(canonicalJson({ b: 1, a: { d: -0, c: 1e21 } })).toBe('{"a":{"c":1e+21,"d":0},"b":1}');
	});

	it("keeps an own member that is called __proto__", () => {
		expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":[2]}}'))).toBe('{"__proto__":{"x":[2]},"b":1}');
	});

	it.each([
		["a number that is not finite", Number.NaN],
		["a lone surrogate", "\ud800"],
		["a lone surrogate in a name", { "\udc00": 1 }],
		["a bigint", 1n],
		["a function", { f: () => 1 }],
		["an object of a class", { at: new Date(0) }],
		["10,000 levels", JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)],
	])("has none for %s", (_name, value) => {
		expect(() => canonicalJson(value)).toThrow(TypeError);
	});
});
