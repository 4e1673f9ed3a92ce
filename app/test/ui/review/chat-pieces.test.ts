import fc from "fast-check";
import { expect, it } from "vitest";
import { chatPieces } from "../../../src/ui/rich-text/chat-pieces.ts";

const shown = (text: string, channel: "whatsapp" | "discord") =>
	chatPieces(text, channel)
		.map(({ text: piece, marks }) => (marks.length === 0 ? piece : `<${marks.join()}>${piece}</>`))
		.join("");

it.each([
	["*bold* _it_ ~gone~", "<bold>bold</> <italic>it</> <strike>gone</>"],
	["2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c"],
	["a_b_ c and x*y*", "a_b_ c and x*y*"],
	["*_both_*", "<bold,italic>both</>"],
	["```\ncode *x*```", "<mono>code *x*</>"],
	["``` no end *x*", "``` no end <bold>x</>"],
	["*not\nover lines*", "*not\nover lines*"],
	["`*x*`", "<mono>*x*</>"],
	["[here](https://evil.example)", "[here](https://evil.example)"],
])("WhatsApp shows %j as %j", (text, words) => expect(shown(text, "whatsapp")).toBe(words));

it.each([
	["**bold** *it* __under__ ~~gone~~", "<bold>bold</> <italic>it</> <underline>under</> <strike>gone</>"],
	["@everyone", "@everyone"],
])("Discord shows %j as %j", (text, words) => expect(shown(text, "discord")).toBe(words));

it("shows every letter that is there, and adds none", () => {
	const text = fc.string({ unit: fc.constantFrom("*", "_", "~", "`", " ", "a", "\n", "b"), maxLength: 60 });
	fc.assert(
		fc.property(text, fc.constantFrom("whatsapp", "discord"), (given, channel) => {
			const letters = (words: string) => words.replace(/[^ab]/g, "");
			expect(
				letters(
					chatPieces(given, channel)
						.map((piece) => piece.text)
						.join(""),
				),
			).toBe(letters(given));
		}),
	);
});

it("takes time in proportion to a hostile text", () => {
	const begun = performance.now();
	chatPieces("*a _b ~c ".repeat(20_000), "whatsapp");
	expect(performance.now() - begun).toBeLessThan(2_000);
});
