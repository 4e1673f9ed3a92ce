import { Redaction } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactValue } from "../../src/run-log/redact.ts";

const secret = fc.stringMatching(/^[\w-]{12,43}$/);

describe("what leaves in a log", () => {
	it("holds no known secret, wherever in a value it stands", () => {
		const holds = (value: string, before: string, after: string) => {
			const given = { [before]: [{ text: `${before}${value}${after}` }, value], nested: { deep: after + value } };
			expect(JSON.stringify(redactValue(given, new Redaction([value])))).not.toContain(value);
		};
		fc.assert(fc.property(secret, fc.string(), fc.string(), holds));
	});

	it("keeps its form, and what is no secret", () => {
		const value = { seq: 3, ok: true, none: null, list: ["a token of thanks", "secretary", 1.5], text: "the password was changed" };
		expect(redactValue(value, new Redaction(["", "short"]))).toEqual(value);
	});

	it("hides a field by its name", () => {
		expect(redactValue({ token: "any words", inner: { Authorization: "x", count: 1 } }, new Redaction([]))).toEqual({
			token: "[redacted]",
			inner: { Authorization: "[redacted]", count: 1 },
		});
	});
});
