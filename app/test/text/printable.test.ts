import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine, PrintableStream, pathLine, printable, revealed, revealedLine } from "../../src/text/printable.ts";

const hostile = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.constantFrom("\u001b[31m", "\u001b]0;title\u0007", "\u001b]8;;http://x\u0007", "\u009b2J", "\u202e", "\r", "\u0007", "\u0008", "text"),
);

const HARMFUL = /[^\P{Cc}\n\t]|[\u202a-\u202e]/u;

describe("text of others on a terminal", () => {
	it("has no control sequence left, whatever it was", () => {
		fc.assert(
			fc.property(fc.array(hostile), (parts) => {
				expect(printable(parts.join(""))).not.toMatch(HARMFUL);
			}),
		);
	});

	it("has none left when a sequence is cut between two pieces", () => {
		fc.assert(
			fc.property(fc.array(hostile), (parts) => {
				const stream = new PrintableStream();
				const shown = parts.map((part) => stream.push(part)).join("") + stream.end();
				expect(shown).not.toMatch(HARMFUL);
			}),
		);
		const stream = new PrintableStream();
		expect(stream.push("a\u001b[3") + stream.push("1mb") + stream.end()).toBe("ab");
	});

	it("shows what is hidden or reorders, and not only some of it", () => {
		expect(printable("so\u00adft \u061c\u115f\u200b\u202e\u3164\ufeff\u{e0041}")).toBe(
			"so\\u{ad}ft \\u{61c}\\u{115f}\\u{200b}\\u{202e}\\u{3164}\\u{feff}\\u{e0041}",
		);
	});

	it("shows control characters too, in what the user is asked to allow", () => {
		expect(revealed("rm\u0000 \u001b[2Jx\u0007\r\n\ty\r\u009b\u200b")).toBe("rm\\u{0} \\u{1b}[2Jx\\u{7}\n\ty\\u{d}\\u{9b}\\u{200b}");
		expect(revealedLine("a\u000b b\nc", 12)).toBe("a\\u{b} b c");
		fc.assert(
			fc.property(fc.array(hostile), (parts) => {
				expect(revealed(parts.join(""))).not.toMatch(HARMFUL);
			}),
		);
	});

	it("keeps plain text as it is", () => {
		expect(printable("# héllo\n\tworld 🙂")).toBe("# héllo\n\tworld 🙂");
		expect(oneLine("a\n b\t c", 4)).toBe("a b…");
	});
});

it("a path keeps its spaces, is on one line, and hides nothing", () => {
	expect(pathLine("a b  c.txt")).toBe("a b  c.txt");
	expect(pathLine("a\nb\t\u202ec")).toBe("a\\u{a}b\\u{9}\\u{202e}c");
	expect(pathLine("\u001b[31ma")).toBe("a");
	expect(pathLine("x".repeat(400))).toHaveLength(300);
});
