import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environmentSecrets, Redaction } from "../src/errors/redaction.ts";

const known = "s3cr3t-of-the-home/+x";
const none = new Redaction([]);

describe("redaction", () => {
	it.each([
		["Authorization: Bearer abcdefgh12345678", "abcdefgh12345678"],
		['{"api_key": "abcdefgh12345678"}', "abcdefgh12345678"],
		["export OPENAI_API_KEY=abcdefgh12345678", "abcdefgh12345678"],
		["password='abcdefgh12345678'", "abcdefgh12345678"],
		["token: hunter22x", "hunter22x"],
		["the password is hunter22", "hunter22"],
		["Your API key is `abc123def`", "abc123def"],
		["connect postgres://app:pw@db.example/x", ":pw@"],
		["redis://:s3cret@cache:6379", "s3cret"],
		["https://user:p@ss:w0rd@host.example/", "p@ss"],
		[`sk-proj-${"abcdefgh12345678".repeat(2)}`, "abcdefgh12345678"],
		[`ghp_${"abcdefgh12345678".repeat(2)}`, "abcdefgh12345678"],
		[`AKIA${"ABCDEFGH12345678"}`, "ABCDEFGH12345678"],
		["eyJabcdefgh12345678.eyJabcdefgh12345678.abcdefgh12345678", "abcdefgh12345678"],
		["-----BEGIN RSA PRIVATE KEY-----\nabcdefgh12345678\n-----END RSA PRIVATE KEY-----", "abcdefgh12345678"],
	])("hides what looks like a secret: %s", (text, secret) => {
		const shown = none.text(`before ${text} after`);
		expect(shown).not.toContain(secret);
		expect(shown).toContain("[redacted]");
		expect(shown).toMatch(/^before /);
	});

	it.each([
		"the password is required",
		"the token is invalid, and the secret was rotated",
		"a token of thanks: secretary",
		"see https://example.org:8080/path and ssh://git@example.org/x",
		"at 12:30 mail me@example.org about http://example.org/a:b@c",
		"tokens: 12",
		"a basic idea, a bearer of news",
		"task-1234567890abcdefghijk",
	])("leaves %j as it is", (text) => {
		expect(none.text(text)).toBe(text);
	});

	it("hides a known secret in base64, also url-safe and in the middle of more, in hex, in a URL and in JSON", () => {
		const redaction = new Redaction([known]);
		for (const before of ["", "a", "ab", "user:"]) {
			const bytes = Buffer.from(`${before}${known}`);
			for (const encoding of ["base64", "base64url", "hex", "utf8"] as const) {
				const shown = redaction.text(`x ${bytes.toString(encoding)} y`);
				expect(shown).toContain("[redacted]");
				expect(shown.length).toBeLessThan(before.length * 2 + 25);
			}
		}
		expect(redaction.text(encodeURIComponent(known))).toBe("[redacted]");
		expect(new Redaction(['quote"and\\more']).text(JSON.stringify('quote"and\\more'))).toBe('"[redacted]"');
	});

	it("never leaves a known secret in base64, whatever stands around it", () => {
		const secret = fc.stringMatching(/^[\w-]{12,43}$/);
		fc.assert(
			fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
				const text = Buffer.from(before + value + after).toString("base64");
				expect(new Redaction([value]).text(text)).toContain("[redacted]");
			}),
		);
	});

	it("knows the secrets of an environment by their names and by their form", () => {
		const random = "Zk3vQ9xW1bT7rL5mN8pD";
		expect(
			environmentSecrets({
				SERVICE_TOKEN: "by-its-name",
				SESSION: random,
				DIGEST: "0123456789abcdef".repeat(2),
				DATABASE_URL: "postgres://app:hunter22@db/x",
				HOME: "/home/someone/with/a/long/path",
				PWD: "/srv/checkout",
				LANG: "en_US.UTF-8",
				NODE_OPTIONS: "--max-old-space-size=4096",
				HOSTNAME: "build-machine-0123456789-abcdef",
				LONG_NAME: "averyveryverylongwordwithoutdigits",
			}),
		).toEqual(["by-its-name", random, "0123456789abcdef".repeat(2), "hunter22"]);
	});

	it("takes time in proportion to the text", () => {
		const pieces = [
			"-----BEGIN PRIVATE KEY-----",
			"bearer ",
			"token=",
			"token is ",
			"eyJ",
			"eyJ-",
			"eyJa.",
			"sk-",
			"a",
			"://",
			"://a:",
			":@",
			"-----BEGIN ",
		];
		for (const piece of [...pieces, "password ", "password\t", "is ", " "]) {
			for (const size of [2_000, 200_000]) {
				const started = performance.now();
				new Redaction(["known-secret"]).text(`token${piece.repeat(size / piece.length)}`);
				expect(performance.now() - started, JSON.stringify(piece)).toBeLessThan(500);
			}
		}
	});
});
