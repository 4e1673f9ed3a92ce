import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import MarkdownText from "../../../src/ui/rich-text/markdown.tsx";

const table = (columns: number, rows: number) => `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"|\n".repeat(rows)}`;

it.each([
	["quotes in quotes", ">>".repeat(32_768)],
	["lists in lists", "- ".repeat(7_000)],
	["many lists in lists", `${"- ".repeat(9)}a\n`.repeat(780)],
	["a wide and long table", table(1_900, 2_000)],
])("shows %s as plain text, since a parser would take seconds", (_name, text) => {
	const shown = renderToString(createElement(MarkdownText, { text }));
	expect(shown).not.toMatch(/<(?:blockquote|ul|table)/);
	expect(shown.length).toBeLessThan(text.length * 10);
});

it.each([
	["quotes", ">>> so", "<blockquote>"],
	["a list of 300 lines", "- a\n  - b\n    - c\n".repeat(100), "<ul>"],
	["a table of 300 rows", table(8, 300), "<table>"],
])("still shows %s as what they are", (_name, text, tag) => {
	expect(renderToString(createElement(MarkdownText, { text }))).toContain(tag);
});
