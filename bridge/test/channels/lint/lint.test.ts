import { LintFinding, Redaction } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bidi, invisible } from "../../../src/channels/lint/hidden-characters.ts";
import { credentials, linkText, remoteImage } from "../../../src/channels/lint/links.ts";
import { allOf, type LintCheck } from "../../../src/channels/lint/lint-check.ts";
import { plainText, tooLong } from "../../../src/channels/lint/plain-text.ts";
import { secret } from "../../../src/channels/lint/secret.ts";

const places = (check: LintCheck, text: string) => check(text).map(({ rule, at }) => [rule, at]);
const excerpts = (check: LintCheck, text: string) => check(text).map(({ excerpt }) => excerpt);
const known = "correct-horse-battery";
const everything = allOf(tooLong(2_000), plainText, invisible, bidi, remoteImage, linkText, credentials, secret(new Redaction([known])));

describe("plainText", () => {
	it("[T2-36] finds headings, code blocks, dashes and tables, each where it begins", () => {
		const text = "Hi\n\n## Beaches\n\n- Kuta\n- Sanur\n\n```sh\nls\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
		expect(plainText(text)).toEqual([
			{ rule: "heading", at: 4, excerpt: "## Beaches" },
			{ rule: "bullet", at: 16, excerpt: "- Kuta" },
			{ rule: "code_fence", at: 32, excerpt: "```sh" },
			{ rule: "table", at: 46, excerpt: "| a | b |" },
		]);
	});

	it.each([
		["a heading that is underlined", "Beaches\n=======", "heading"],
		["a heading in a list", "1. # Kuta", "heading"],
		["stars", "* Kuta\n* Sanur", "bullet"],
		["pluses", "+ Kuta", "bullet"],
		["tildes", "~~~\nls\n~~~", "code_fence"],
		["a fence that never ends", "```\nls", "code_fence"],
		["a table without edges", "a | b\n--|--\n1 | 2", "table"],
	])("finds %s", (_name, text, rule) => {
		expect(plainText(text).map((finding) => finding.rule)).toContain(rule);
	});

	it.each([
		"#1 is Kuta",
		"It costs 5 - 10 dollars",
		"*Kuta* is best",
		"a `b` c",
		"1. Kuta\n2. Sanur",
		"-5 degrees",
		"a | b",
		"Kuta\u2014best",
		"* ",
	])("leaves %j alone", (text) => {
		expect(plainText(text).filter(({ rule }) => rule !== "bullet" || text !== "* ")).toEqual([]);
	});
});

describe("tooLong", () => {
	it("[T2-36] counts what the channel counts", () => {
		expect(tooLong(4)("abcd")).toEqual([]);
		expect(tooLong(4)("abcde")).toEqual([{ rule: "too_long", at: 4, excerpt: "e" }]);
	});
});

describe("invisible", () => {
	it.each([
		["a zero-width space", "pay\u200bpal", 3, "pay\\u{200b}pal"],
		["a word joiner", "a\u2060b", 1, "a\\u{2060}b"],
		["a byte order mark", "a\ufeffb", 1, "a\\u{feff}b"],
		["a control character", "a\u001b[31mb", 1, "a\\u{1b}[31mb"],
		["an empty letter", "a\u3164b", 1, "a\\u{3164}b"],
		["an empty pattern", "a\u2800b", 1, "a\\u{2800}b"],
		["a soft hyphen", "pass\u00adword", 4, "pass\\u{ad}word"],
		["a line separator", "a\u2028b", 1, "a\\u{2028}b"],
		["a joiner between letters", "a\u200db", 1, "a\\u{200d}b"],
		["a mark of direction without such text", "a\u200fb", 1, "a\\u{200f}b"],
		["letters as tags", "hi\u{e0068}\u{e0069}", 2, "hi\\u{e0068}\\u{e0069}"],
		["a flag with other tags", "\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}", 2, undefined],
		["bytes as selectors", "\u{1f600}\u{e0101}\u{e0102}", 2, undefined],
		["a selector after a letter", "a\ufe0fb", 1, "a\\u{fe0f}b"],
		["after a line", "a\n\u200bb", 2, undefined],
	])("finds %s", (_name, text, at, excerpt) => {
		expect(places(invisible, text)).toEqual([["invisible", at]]);
		if (excerpt !== undefined) expect(excerpts(invisible, text)).toEqual([excerpt]);
	});

	it.each([
		["families", "👨‍👩‍👧 and 👩🏽‍🚀, 🏳️‍🌈 and ❤️‍🔥"],
		["selectors and keycaps", "☀️ ✔️ 1️⃣ ©️"],
		["the flag of Scotland", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
		["Persian", "می‌خواهم"],
		["Hindi and Sinhala", "क्‍ष ශ්‍රී"],
		["Hebrew with a mark", "שלום\u200f (abc)"],
		["Thai and Chinese", "สวัสดี 你好"],
		["lines and tabs", "a\tb\n\nc"],
	])("leaves %s alone", (_name, text) => {
		expect(invisible(text)).toEqual([]);
	});
});

describe("bidi", () => {
	it("finds what reorders text, and shows it", () => {
		expect(bidi("pay \u202egpj.exe\u202c")).toEqual([
			{ rule: "bidi", at: 4, excerpt: "pay \\u{202e}gpj.exe\\u{202c}" },
			{ rule: "bidi", at: 12, excerpt: "pay \\u{202e}gpj.exe\\u{202c}" },
		]);
		expect(places(bidi, "\u2066a\u2069")).toHaveLength(2);
		expect(places(bidi, "שלום\u202d12")).toEqual([["bidi", 4]]);
		expect(invisible("a\u202eb\u202c")).toEqual([]);
		expect(bidi("שלום \u200f12")).toEqual([]);
	});
});

describe("remoteImage", () => {
	it.each([
		["a picture", "See ![it](https://evil.test/p.png?u=1)", 10],
		["one without a scheme", "![](//evil.test/p.png)", 4],
		["one by reference", "![it][p]\n\n[p]: https://evil.test/p.png", 0],
		["one in a link", "[![it](http://evil.test/a)](https://ok.test)", 7],
		["one in a heading", "# ![](http://evil.test)", 6],
		["one in a table", "|a|\n|-|\n|![](http://evil.test)|", undefined],
		["one in a quotation", "> > - ![](http://evil.test)", 10],
		["one with an entity", "![](http&colon;//evil.test)", 0],
		["one inside HTML", "<div>\n![](http://evil.test)\n</div>", 10],
		["an element", 'a <img src="https://evil.test/p">', 2],
		["an element in capitals", "a <IMG/src=x>", 2],
	])("finds %s", (_name, text, at) => {
		const found = remoteImage(text);
		expect(found.map(({ rule }) => rule)).toEqual(["remote_image"]);
		if (at !== undefined) expect(found[0]?.at).toBe(at);
	});

	it.each([
		"`![](http://evil.test)`",
		"```\n![](http://evil.test)\n```",
		"\\![](a b)",
		"! [it](http://ok.test)",
		"an <imgx> tag",
		"![](data:image/png;base64,AA==)",
	])("leaves %j alone", (text) => {
		expect(remoteImage(text)).toEqual([]);
	});
});

describe("linkText", () => {
	it.each([
		["another host", "[https://bank.test/login](https://evil.test)", "evil.test"],
		["a bare host", "Go to [bank.test](https://evil.test).", "evil.test"],
		["a host in a sentence", "[Sign in at www.bank.test today](https://evil.test)", "evil.test"],
		["a host below the one that is shown", "[bank.test](https://bank.test.evil.test)", "bank.test.evil.test"],
		["a host beside it", "[bank.test](https://pay.bank.test)", "pay.bank.test"],
		["a name before the host", "[bank.test](https://bank.test@evil.test)", "evil.test"],
		["a name in an address that is shown", "<https://bank.test@evil.test>", undefined],
		["letters that look alike", "[bank.test](https://b\u0430nk.test)", "xn--bnk-6cd.test"],
		["marks around it", "[**bank**.test](https://evil.test)", "evil.test"],
		["hidden characters in it", "[bank\u200b.test](https://evil.test)", "evil.test"],
		["wide letters", "[ｂａｎｋ．ｔｅｓｔ](https://evil.test)", "evil.test"],
		["code", "[`bank.test`](https://evil.test)", "evil.test"],
		["a reference", "[bank.test][1]\n\n[1]: https://evil.test", "evil.test"],
		["a picture's text", "[![bank.test](data:image/png;base64,AA==)](https://evil.test)", "evil.test"],
		["a mail address", "[help@bank.test](mailto:help@evil.test)", "help@evil.test"],
		["a mail address over a page", "[help@bank.test](https://evil.test)", "evil.test"],
		["a host over a mail address", "[bank.test](mailto:x@bank.test)", "x@bank.test"],
		["a number", "[bank.test](http://192.0.2.1)", "192.0.2.1"],
		["no host at all", "[bank.test](/login)", "relative.invalid"],
	])("finds %s", (_name, text, target) => {
		const found = linkText(text);
		if (target === undefined) return expect(credentials(text)).toHaveLength(1);
		expect(found.map(({ rule }) => rule)).toEqual(["link_text"]);
		expect(found[0]?.excerpt).toMatch(new RegExp(`→ ${target.replaceAll(".", "\\.")}$`));
	});

	it.each([
		"[Sign in](https://bank.test)",
		"[bank.test](https://bank.test/login?x=1)",
		"[https://www.Bank.test/a](http://bank.test/b)",
		"[bank.test:8443](https://bank.test:8443)",
		"<https://bank.test>",
		"<help@bank.test>",
		"[help@bank.test](mailto:Help@bank.test?subject=Hi)",
		"[münchen.test](https://xn--mnchen-3ya.test)",
		"[report.pdf](https://files.test/report.pdf)",
		"[version 1.2](https://ok.test)",
		"`[bank.test](https://evil.test)`",
	])("leaves %j alone", (text) => {
		expect(linkText(text)).toEqual([]);
	});
});

describe("credentials", () => {
	it.each([
		["a password", "See https://me:hunter22@host.test/a", 4, "https://…@host.test"],
		["a name", "ssh://git@host.test/a", 0, "ssh://…@host.test"],
		["one in a link", "[a](https://me:hunter22@host.test)", 4, "https://…@host.test"],
		["one without slashes", "[a](https:me:hunter22@host.test)", 0, "https://…@host.test"],
		["one with an entity", "[a](https&colon;//me:hunter22@host.test)", 0, "https://…@host.test"],
		["one without a scheme", "[a](//me:hunter22@host.test)", 0, "https://…@host.test"],
		["one in code", "`https://me:hunter22@host.test`", 1, "https://…@host.test"],
	])("finds %s, and doesn't repeat it", (_name, text, at, excerpt) => {
		expect(credentials(text)).toEqual([{ rule: "credentials", at, excerpt }]);
		expect(JSON.stringify(everything(text).filter(({ rule }) => rule !== "secret"))).not.toContain("hunter22");
	});

	it.each([
		"https://host.test/@me",
		"https://host.test/?a=b@c",
		"me@host.test",
		"see a://b",
		"[a](mailto:me@host.test)",
		"https://host.test me@host.test",
	])("leaves %j alone", (text) => {
		expect(credentials(text)).toEqual([]);
	});
});

describe("secret", () => {
	const check = secret(new Redaction([known]));
	it("finds what is known and what looks like a secret, and shows neither", () => {
		expect(check(`The word is ${known}, keep it.`)).toEqual([{ rule: "secret", at: 12, excerpt: "The word is [redacted], keep it." }]);
		expect(check(btoa(known))).toHaveLength(1);
		expect(check("correct-\u200bhorse-battery")).toEqual([{ rule: "secret", excerpt: "[redacted]" }]);
		expect(excerpts(check, "key sk-abcdefghijklmnopqrstuvwxyz0123")).toEqual(["key [redacted]"]);
		expect(check("Nothing here.")).toEqual([]);
	});
});

describe("every check", () => {
	const piece = fc.oneof(
		fc.constantFrom(
			"[",
			"](",
			")",
			"![",
			"<",
			">",
			"`",
			"https://",
			"bank.test",
			"@",
			"\n",
			"- ",
			"# ",
			"|",
			"|-|\n",
			"\u200d",
			"\u202e",
			"👩",
			"\ufe0f",
			known,
		),
		fc.string({ unit: "binary", maxLength: 8 }),
	);
	it("gives findings that the contract takes, in the text, for any text", () => {
		fc.assert(
			fc.property(
				fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
				(text) => {
					const found = everything(text);
					for (const finding of found) {
						expect(LintFinding.parse(finding)).toEqual(finding);
						expect(finding.at ?? 0).toBeLessThan(text.length);
						expect(finding.excerpt ?? "").not.toMatch(/[\p{Cc}\p{Cf}]/u);
						expect(finding.excerpt ?? "").not.toContain(known);
					}
				},
			),
			{ numRuns: 3_000 },
		);
	});

	it("shows no other piece of a text with a secret", () => {
		expect(everything(`# ${known}`)).toEqual([{ rule: "heading", at: 0 }, expect.objectContaining({ rule: "secret", at: 2 })]);
	});

	it("takes linear time for hostile texts of the largest size", () => {
		const size = 256 * 1024;
		const units = [
			"[",
			"![",
			"[a](",
			"[](<",
			"*a_ ",
			"a**b",
			"> ",
			"- ",
			"|a|b\n|-|-\n",
			"`a``b",
			"<",
			"<img",
			"://",
			"a://b@",
			"\u200b",
			"\u200b\n",
			"👩\u200d",
			"[a][b]",
			"[a]: x\n",
			"[a.bc](x)",
			"](x",
			"bank.test ",
			"&",
			"x\n===\n",
			"1) ",
		];
		for (const unit of units) {
			const text = unit.repeat(size / unit.length);
			const began = performance.now();
			expect(everything(text).length).toBeLessThanOrEqual(50);
			// Quadratic ones take minutes.
			expect(performance.now() - began, JSON.stringify(unit)).toBeLessThan(15_000);
		}
	}, 240_000);
});
