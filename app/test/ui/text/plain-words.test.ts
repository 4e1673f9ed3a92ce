import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { firstProgram, firstPrompt } from "../../../src/ui/pages/first-program.ts";
import { readsAsWords } from "../../../src/ui/text/plain-words.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const fenced = (language: string, text: string) => `Here it is:\n\n\`\`\`${language}\n${text}\n\`\`\`\n`;

describe("[D11] plain words are told from a program", () => {
	it.each([
		"Write me a haiku",
		"write a haiku",
		"Write me a haiku\nabout autumn, please.",
		"Hello",
		"Hello!",
		"hi",
		"ok, thanks",
		"continue",
		"do it again",
		"try again",
		"let me know",
		"return the list of files",
		"import the data from x.csv",
		"for each file, make a thumbnail",
		"if you can, make it shorter",
		"new poem about autumn",
		"delete everything",
		"this is wrong",
		"Who is Bob in Paris",
		"2+2?",
		"Write 3 poems (short ones); then translate them.",
		'Say "hello"',
		'Translate "good morning" into French.',
		"Why doesn't it work?",
		"don't say it isn't so",
		"Summarize https://example.com/a(b)=c for me",
		"https://example.com",
		"# Plan\n\n- collect the data\n- draw a chart",
		"1. First this\n2. Then that",
		"Why does console.log() print twice?",
		"Please fix this:\nfunction add(a, b) {\n\treturn a - b;\n}\n",
		"Set x = 3 please",
		"use `foo` and `bar` in the text",
		"npm install left-pad",
		"SELECT * FROM users",
		"👍",
		"Schreib mir ein Haiku über den Herbst.",
		"Écris un haïku sur l’automne",
		"Écris un haïku sur l'automne",
		"Escribe un haiku sobre el otoño",
		"¿Qué puedes hacer?",
		"Napisz haiku o jesieni",
		"Напиши хайку об осени",
		"Γράψε ένα χαϊκού",
		"写一首关于秋天的俳句",
		"写一首俳句，主题是秋天。",
		"秋についての俳句を書いてください",
		"가을에 대한 하이쿠를 써 줘",
		"اكتب قصيدة عن الخريف",
		"כתוב שיר על הסתיו",
		"शरद ऋतु पर एक हाइकु लिखो",
		"เขียนบทกวีเกี่ยวกับฤดูใบไม้ร่วง",
		fenced("python", "print('hello')"),
	])("words: %j", (text) => {
		expect(readsAsWords(text)).toBe(true);
	});

	it.each([
		"return 1",
		"return",
		"42",
		"1 + 1",
		'"hello"',
		"await tools.x()",
		"await tools.files.write({ path: 'a.txt', text: 'Write me a haiku' })",
		"tools.files",
		"new Date",
		"return Math.PI / 2",
		"throw new Error('no')",
		"// write me a haiku",
		"/* write me\na haiku */ return 1",
		"const a = 1\nconst b = 2\nreturn a + b",
		`const text = \`Write me a haiku\nabout \${topic(1)} and don't stop\`;`,
		`const nested = \`a \${\`b \${c} it's\`} d\`; return nested`,
		"for (const file of files) if (/don't stop/.test(file)) await go(file)",
		"do { i++ } while (i < 3)",
		"let i = 0; while (true) { if (i++ > 3) break }",
		"type A<T> = T extends infer U ? keyof U : never;\ninterface B extends A<1> { readonly x: string }",
		"abstract class A<in out T> extends B implements C { static async *#x() { yield* this.#x() } get y() { return 1 } }",
		"import { a as b } from 'x' with { type: 'json' };\nexport default async function f(this: A) {}",
		"function isText(value: unknown): value is string { return typeof value === 'string' }",
		"const x = y as unknown satisfies Z;\nlet z!: number",
		`tag\`it's a \${1} day\``,
		"#!/usr/bin/env node\nconsole.log(1)",
		// Broken programs: Script says where, which helps more than an offer.
		"cosnt x = 1",
		"const x = 'abc;\nconst y = 2;",
		"awiat tools.files.write({})",
		"fucntion f() {\n\treturn 1;\n}",
		// Another language's program that reads as one.
		"print('hello')",
		fenced("ts", "return 1"),
		fenced("", "Write me a haiku"),
		fenced("JavaScript", "return 1"),
		`${fenced("ts", "return 1")}${fenced("ts", "return 2")}`,
		"Run this:\n```ts\nreturn 1",
		firstPrompt(firstProgram([{ label: "Codex", available: false }], new Date())),
		firstProgram([], new Date()),
		" \n ",
		"",
	])("a program: %j", (text) => {
		expect(readsAsWords(text)).toBe(false);
	});

	it("is told from the beginning of a text that is too long to be read whole", () => {
		const many = (text: string) => text.repeat(5_000);
		expect(readsAsWords(many("Tell me a long story. "))).toBe(true);
		expect(readsAsWords(many("Don't tell me a long story.\n"))).toBe(true);
		for (const program of [
			`[${many("'Write me a haiku', ")}]`,
			`\`${many("Write me a haiku. ")}\``,
			`/* ${many("Write me a haiku. ")}*/ 1`,
		])
			expect(readsAsWords(`const long = ${program};`)).toBe(false);
	});

	it("takes every source file of this repository for a program", () => {
		const files = globSync(
			"{app,bridge,contracts,platform,scripts,e2e,openclaw-plugins}/{src,test,tests,support,ui,house,mutants,fakes}/**/*.ts",
			{ cwd: root },
		);
		expect(files.length).toBeGreaterThan(300);
		expect(files.filter((file) => readsAsWords(readFileSync(`${root}/${file}`, "utf8")))).toEqual([]);
	});

	it("answers at once, whatever the text", () => {
		for (const piece of ["`${", "'", "/[", "/*", "```\n", "a b ", "'\\", "}", "(", "\\"]) {
			const began = performance.now();
			readsAsWords(piece.repeat(1_000_000 / piece.length));
			expect(performance.now() - began).toBeLessThan(1_000);
		}
		const began = performance.now();
		readsAsWords("`${".repeat(5_000) + "}".repeat(5_000));
		expect(performance.now() - began).toBeLessThan(1_000);
	});
});
