import { cleanup, render } from "@testing-library/react";
import fc from "fast-check";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { afterEach, describe, expect, it } from "vitest";
import MarkdownText from "../../../src/ui/rich-text/markdown.tsx";
import { isPlainSentence } from "../../../src/ui/rich-text/plain-sentence.ts";
import { countCalls } from "../../support/count-calls.ts";

afterEach(cleanup);

const parsed = (text: string) => render(<Markdown remarkPlugins={[remarkGfm]}>{text}</Markdown>).container.innerHTML;
const shown = (text: string) => render(<MarkdownText text={text} />).container.innerHTML;

describe("a plain line of an answer", () => {
	it("is shown exactly as the Markdown parser shows it", () => {
		const piece = fc.constantFrom(
			...[
				"a",
				"Das Haus ",
				"我看",
				"1",
				"1.",
				"2) ",
				"-",
				" - ",
				"  ",
				" ",
				".",
				"www",
				"www.",
				"http",
				"https://",
				":",
				"//",
				"\n",
				"\n\n",
			],
			...[
				"(c) ",
				"“so”",
				"'",
				'"',
				"/",
				"%",
				"…",
				"!",
				"?",
				"=",
				"#",
				"*",
				"_",
				"~",
				"`",
				"[x]",
				"<b>",
				"&amp;",
				"\\",
				"|",
				"@",
				"+",
				"\t",
			],
		);
		let plain = 0;
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
				const text = pieces.join("");
				if (!isPlainSentence(text)) return;
				plain += 1;
				expect(shown(text)).toBe(parsed(text));
				cleanup();
			}),
			{ numRuns: 3_000, seed: 1 },
		);
		expect(plain).toBeGreaterThan(100);
	});

	it.each([
		"I read the file, and it has 12 lines.",
		"Überprüfe die Datei (die zweite)!",
		"我先看一下这个文件。",
		"Done: 3/4 tests pass.\n\n",
	])("is recognised: %j", (text) => {
		expect(isPlainSentence(text.replace("。", "."))).toBe(true);
	});

	it.each([
		"See www.example.com for it",
		"See https://x.example",
		"1. First",
		"- one",
		"a *b*",
		"a\nb",
		" a",
		"",
		"a & b",
		"a_b",
		"# a",
		"`a`",
	])("is left to the parser: %j", (text) => {
		expect(isPlainSentence(text)).toBe(false);
	});

	it("costs less than a third of a parsed one", () => {
		const calls = (text: string) => countCalls(() => void render(<MarkdownText text={text} />));
		calls("Some *words*");
		const whole = calls("I read the *file*, and it has 12 lines.");
		expect(calls("I read the file, and it has 12 lines.")).toBeLessThan(whole / 3);
	});
});
