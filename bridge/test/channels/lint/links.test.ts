import { describe, expect, it } from "vitest";
import { credentials, linkText, remoteImage } from "../../../src/channels/lint/links.ts";

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
		expect(JSON.stringify([...credentials(text), ...linkText(text), ...remoteImage(text)])).not.toContain("hunter22");
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
