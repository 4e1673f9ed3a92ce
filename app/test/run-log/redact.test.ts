import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactText, redactValue } from "../../src/run-log/redact.ts";

const secret = fc.stringMatching(/^[\w-]{12,43}$/);

describe("what leaves in a log", () => {
	it("holds no known secret, wherever in a value it stands", () => {
		const holds = (value: string, before: string, after: string) => {
			const given = { [before]: [{ text: `${before}${value}${after}` }, value], nested: { deep: after + value } };
			expect(JSON.stringify(redactValue(given, [value]))).not.toContain(value);
		};
		fc.assert(fc.property(secret, fc.string(), fc.string(), holds));
	});

	it("keeps its form, and what is no secret", () => {
		const value = { seq: 3, ok: true, none: null, list: ["a token of thanks", "secretary", 1.5], text: "the password was changed" };
		expect(redactValue(value, ["", "short"])).toEqual(value);
	});

	it.each([
		"Authorization: Bearer abcdefgh12345678",
		'{"api_key": "abcdefgh12345678"}',
		"export OPENAI_API_KEY=abcdefgh12345678",
		"password='abcdefgh12345678'",
		`sk-proj-${"abcdefgh12345678".repeat(2)}`,
		`ghp_${"abcdefgh12345678".repeat(2)}`,
		"eyJabcdefgh12345678.eyJabcdefgh12345678.abcdefgh12345678",
		"-----BEGIN RSA PRIVATE KEY-----\nabcdefgh12345678\n-----END RSA PRIVATE KEY-----",
	])("hides %s", (text) => {
		expect(redactText(`before ${text} after`, [])).toMatch(/^before .*\[redacted\]/s);
		expect(redactText(text, [])).not.toContain("abcdefgh12345678");
	});

	it("hides a field by its name", () => {
		expect(redactValue({ token: "any words", inner: { Authorization: "x", count: 1 } }, [])).toEqual({
			token: "[redacted]",
			inner: { Authorization: "[redacted]", count: 1 },
		});
	});

	it("takes time in proportion to the text", () => {
		const started = performance.now();
		for (const piece of ["-----BEGIN PRIVATE KEY-----", "bearer ", "token=", "eyJ", "sk-", "a"]) redactText(piece.repeat(20_000), []);
		expect(performance.now() - started).toBeLessThan(5_000);
	});
});
