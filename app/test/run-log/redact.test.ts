import { Redaction } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const secret = fc.stringMatching(/^[\w-]{12,43}$/);

describe("what leaves in a log", () => {
	it("holds no known secret, wherever in a value it stands", () => {
		const holds = (value: string, before: string, after: string) => {
			const given = { [before]: [{ text: `${before}${value}${after}` }, value], nested: { deep: after + value } };
			expect(JSON.stringify(new Redaction([value]).value(given))).not.toContain(value);
		};
		fc.assert(fc.property(secret, fc.string(), fc.string(), holds));
	});

	it("keeps its form, and what is no secret", () => {
		const value = { seq: 3, ok: true, none: null, list: ["a token of thanks", "secretary", 1.5], text: "the password was changed" };
		expect(new Redaction(["", "short"]).value(value)).toEqual(value);
	});

	it("hides a field by its name", () => {
		expect(new Redaction([]).value({ token: "any words", inner: { Authorization: "x", count: 1 } })).toEqual({
			token: "[redacted]",
			inner: { Authorization: "[redacted]", count: 1 },
		});
	});
});
