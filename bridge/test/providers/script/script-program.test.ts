import { limits } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePrompt } from "../../../src/providers/script/script-program.ts";

describe("finding the program in a prompt", () => {
	it.each([
		["```ts\nreturn 1\n```", "return 1\n", "typescript"],
		["Do this:\n```typescript\nreturn 1\n```\nplease", "return 1\n", "typescript"],
		["```js\nreturn 1\n```", "return 1\n", "javascript"],
		["```JavaScript title=x\r\nreturn 1\r\n```\r\n", "return 1\r\n", "javascript"],
		["```\nreturn 1\n```", "return 1\n", "typescript"],
		["````ts\nconst fence = '```'\n```\n````", "const fence = '```'\n```\n", "typescript"],
		["  ```ts\n  return 1\n  ```", "  return 1\n", "typescript"],
		["```ts\nreturn 1\n```", "return 1\n", "typescript"],
		["return `a\\`\\`\\`b`", "return `a\\`\\`\\`b`", "typescript"],
	])("takes %j as a program", (prompt, source, language) => {
		const parsed = parsePrompt(prompt);
		expect(parsed).toMatchObject({ ok: true, program: { source, language } });
	});

	it.each([
		["```ts\n1\n```\n```ts\n2\n```", "2 code blocks"],
		["```ts\n1\n```\nand\n```json\n{}\n```\n```sh\nls\n```", "3 code blocks"],
		["```json\n{}\n```", 'marked "json"'],
		["text\n```ts\nreturn 1", "begins on line 2 is not closed"],
		["", "There is no program"],
		["  \n ", "There is no program"],
		["```ts\n\n```", "There is no program"],
	])("refuses %j", (prompt, words) => {
		expect(parsePrompt(prompt)).toMatchObject({ ok: false, message: expect.stringContaining(words) });
	});

	it("finds any source in the one block it is fenced with", () => {
		const line = fc.string().filter((text) => !/[`\r\n]/.test(text));
		fc.assert(
			fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.array(line, { maxLength: 3 }), (lines, prose) => {
				fc.pre(lines.join("").trim() !== "");
				const source = `${lines.join("\n")}\n`;
				const prompt = `${prose.join("\n")}\n\`\`\`ts\n${source}\`\`\`\n${prose.join("\n")}`;
				expect(parsePrompt(prompt)).toMatchObject({ ok: true, program: { source } });
			}),
		);
	});

	it.each([
		["blanks between back-quotes", (size: number) => `\`\`\`${" ".repeat(size)}\`\n`],
		["blanks before a carriage return", (size: number) => `\`\`\`${" \t".repeat(size / 2)}\rx`],
		["blanks after a language", (size: number) => `\`\`\`ts${" ".repeat(size)}x${" ".repeat(size)}\``],
		["blank lines", (size: number) => "\n".repeat(size)],
		["fences without end", (size: number) => "```\n".repeat(size / 4)],
		["back-quotes alone", (size: number) => "`".repeat(size)],
		["words after a fence", (size: number) => `\`\`\`${"a ".repeat(size / 2)}\n`],
	])("takes no longer than its length asks for: %s", (_name, prompt) => {
		// From small to large, so that a scan that is not linear fails here and does not hang.
		for (const size of [2_000, 20_000, limits.promptBytes]) {
			const started = performance.now();
			parsePrompt(prompt(size));
			expect(performance.now() - started).toBeLessThan(1_500);
		}
	});

	it("reads fences as the expression of CommonMark does that it replaces", () => {
		const reference = /^[ \t]*(`{3,})[ \t]*([^`\r\n]*?)[ \t]*\r?\n?$/;
		const line = fc.string({ unit: fc.constantFrom("`", "\r", " ", "t", "\t"), maxLength: 12 });
		fc.assert(
			fc.property(line, (text) => {
				// An opened block that is not closed tells a fence from another line.
				const parsed = parsePrompt(`${text}\n`);
				const isFence = !parsed.ok && parsed.message.includes("is not closed");
				expect(isFence).toBe(reference.test(`${text}\n`));
			}),
			{ numRuns: 3_000 },
		);
	});

	it("never throws, whatever the prompt", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom("`", "\n", "\r", " ", "t", "s", "~", "\t") }), (prompt) => void parsePrompt(prompt)),
		);
	});
});
