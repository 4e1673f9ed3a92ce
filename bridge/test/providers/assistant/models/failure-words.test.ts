import { describe, expect, it } from "vitest";
import { serverWords } from "../../../../src/providers/assistant/models/exchange/failure-words.ts";

const secret = "open sesame of the house";

describe("what a server says", () => {
	it.each<readonly [string, unknown]>([
		["plain", `no: ${secret}`],
		["in its JSON", JSON.stringify({ error: { message: `no: ${secret}` } })],
		["in base64", { error: { message: `no: ${Buffer.from(secret).toString("base64")}` } }],
		["in a URL", { message: `no: ${encodeURIComponent(secret)}` }],
	])("never has the secret, %s", (_, said) => {
		const words = serverWords(said, secret);
		expect(words).toMatch(/^no: .{0,3}\[redacted\]/);
		expect(words).not.toMatch(/sesame|c2VzYW1l/);
	});

	it("hides a secret that is too short to be known as one", () => {
		expect(serverWords("no: pw12", "pw12")).toBe("no: [redacted]");
	});

	it("is found where servers put it, and is empty where they put nothing", () => {
		expect(serverWords({ error: "down" }, "")).toBe("down");
		expect(serverWords({ detail: "down" }, "")).toBe("down");
		expect(serverWords('{"error":{"message":"down\\n\\nnow"}}', "")).toBe("down now");
		expect(serverWords("<html>down</html>", "")).toBe("<html>down</html>");
		for (const nothing of [undefined, null, 5, {}, [], { error: { code: 5 } }]) expect(serverWords(nothing, "")).toBe("");
	});
});
