import { cleanup, render } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import MarkdownText from "../../../src/ui/rich-text/markdown.tsx";
import { cutAt, rangesInLines, rangesWithin } from "../../../src/ui/text/marked-text.ts";

afterEach(cleanup);

const CLAIM = "I've closed them.";

/** What is marked of a text whose only claim is `claim`, without what only a screen reader gets. */
function markedIn(text: string, claim = CLAIM): string {
	const start = text.indexOf(claim);
	if (start === -1) throw new Error("the text has no such sentence");
	const { container } = render(<MarkdownText text={text} marks={[{ start, end: start + claim.length }]} />);
	for (const hidden of container.querySelectorAll(".vh")) hidden.remove();
	return [...container.querySelectorAll(".claim")].map(({ textContent }) => textContent).join("");
}

describe("a sentence that nothing backs", () => {
	it.each([
		["a plain paragraph", `Three are old. ${CLAIM} Anything else?`],
		["one with other marks", `**Three** are _old_. ${CLAIM} See [it](https://example.com).`],
		["a list", `Three steps:\n\n- one\n- ${CLAIM}\n- two`],
		["a table", `| a | b |\n|---|---|\n| c | ${CLAIM} |`],
		["a heading", `# ${CLAIM}\n\nwords`],
		["a quote", `> ${CLAIM}\n\nwords`],
		["lines that end as Windows ends them", `one\r\n\r\ntwo\r\nthree\r\n\r\n${CLAIM} four`],
		["a later block", `${"Some **words**.\n\n".repeat(300)}${CLAIM}\n\nmore`],
		["a block too large for Markdown", `${"[".repeat(1_100)} ${CLAIM} end`],
	])("is marked, and nothing else, in %s", (_where, text) => {
		expect(markedIn(text)).toBe(CLAIM);
	});

	it("is marked whole across bold words, links and code, once for a screen reader", () => {
		const claim = "I've **closed** them with `gh` in [the repository](https://example.com/x).";
		const text = `Three are old. ${claim} Anything else?`;
		expect(markedIn(text, claim)).toBe("I've closed them with gh in the repository.");
		cleanup();
		const start = text.indexOf(claim);
		const { container } = render(<MarkdownText text={text} marks={[{ start, end: start + claim.length }]} />);
		expect([...container.querySelectorAll(".vh")].map(({ textContent }) => textContent?.trim())).toEqual(["Couldn’t verify:"]);
	});

	it.each([
		["entities", "I&#39;ve closed them."],
		["escapes", "I've \\*closed\\* them."],
		["HTML", "I've <b>closed</b> them."],
	])("is never left out where the source and what is shown differ: %s", (_how, claim) => {
		expect(markedIn(`Three are old.\n\n${claim}`, claim)).toMatch(/I.?ve .*closed.* them\./);
	});

	it("in a block of code the block is marked", () => {
		expect(markedIn(`\`\`\`\n${CLAIM}\n\`\`\``)).toContain(CLAIM);
		cleanup();
		expect(markedIn(`- one\n\n  \`\`\`\n  ${CLAIM}\n  \`\`\`\n`)).toContain(CLAIM);
	});

	it("every one of many is marked on its own", () => {
		const text = "I sent it. I read it. I booked it.";
		const marks = [
			{ start: 0, end: 10 },
			{ start: 22, end: 34 },
		];
		const { container } = render(<MarkdownText text={text} marks={marks} />);
		expect([...container.querySelectorAll("mark")].map(({ lastChild }) => lastChild?.textContent)).toEqual(["I sent it.", "I booked it."]);
		expect(container.querySelector("p")?.textContent).toContain("I read it.");
	});

	it("hides no letter of the text, whatever is marked in it", () => {
		const piece = fc.constantFrom(
			"a ",
			"**b** ",
			"`c` ",
			"\n\n",
			"\n- d",
			"\r\n",
			"&amp;",
			"<i>",
			"[e](https://f.g)",
			"| h |",
			"\n> i",
			"```\n",
			"😀",
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 25 }), fc.nat(80), fc.nat(40), (pieces, start, length) => {
				const text = pieces.join("");
				const plain = render(<MarkdownText text={text} />).container.textContent;
				cleanup();
				const { container } = render(<MarkdownText text={text} marks={[{ start, end: start + length }]} />);
				for (const hidden of container.querySelectorAll(".vh")) hidden.remove();
				const shown = container.textContent;
				cleanup();
				expect(shown).toBe(plain);
			}),
			{ numRuns: 60 },
		);
	});
});

describe("ranges of a text", () => {
	it("are cut without losing a letter, also if they overlap or end outside", () => {
		fc.assert(
			fc.property(fc.string(), fc.array(fc.tuple(fc.nat(30), fc.nat(30))), (text, given) => {
				const ranges = given.map(([start, length]) => ({ start, end: start + length })).sort((one, other) => one.start - other.start);
				expect(
					cutAt(text, ranges)
						.map((piece) => piece.text)
						.join(""),
				).toBe(text);
			}),
		);
	});

	it("move with the line ends that a block no longer has, and into the block that they are in", () => {
		expect(rangesInLines("a\r\nb\r\nc", [{ start: 6, end: 7 }])).toEqual([{ start: 4, end: 5 }]);
		expect(rangesWithin([{ start: 2, end: 6 }], 4, 10)).toEqual([{ start: 0, end: 2 }]);
		expect(rangesWithin([{ start: 2, end: 4 }], 4, 10)).toEqual([]);
	});
});
