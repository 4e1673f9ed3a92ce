import { describe, expect, it } from "vitest";
import { failureMessage } from "../../../src/providers/script/script-messages.ts";
import { checkLimitMessage, defaultScriptLimits, limitMessage } from "../../../src/tools/built-in/script-limits.ts";

const at = { position: { line: 1, column: 5 }, message: "';' expected." };
const syntactic = [{ ...at, syntactic: true }];
const unknownName = [{ ...at, message: "Cannot find name 'x'.", syntactic: false }];
const whole = (source: string) => ({ source, language: "typescript" as const, fenced: false });
const PROSE = /^Script can only run TypeScript\. To write in plain words, choose an agent\.\nline 1, column 5/;
const PROGRAM = /^The program has an error: line 1, column 5/;

describe("[D8] a prompt that Script cannot run", () => {
	it.each([
		["Write me a haiku", syntactic],
		["Write me a haiku (about spring); thanks!", syntactic],
		["Let me know what this costs: a lot or a little?", syntactic],
		["hello", unknownName],
		["Schreib mir ein Gedicht.\n\nBitte kurz.", syntactic],
	])("in plain words is told to choose an agent: %j", (prompt, problems) => {
		expect(failureMessage(problems, whole(prompt))).toMatch(PROSE);
	});

	it.each([
		["const = 1", syntactic],
		["return 1 }", syntactic],
		["} function other() {", syntactic],
		["/* never closed", syntactic],
		["for (const one of [1, 2)) one", syntactic],
		["x(1)", unknownName],
		["await tools.files.write({ path: 'a' text: 'b' })", syntactic],
	])("that is a program with a mistake is told where: %j", (prompt, problems) => {
		expect(failureMessage(problems, whole(prompt))).toMatch(PROGRAM);
	});

	it("is a program where it stands in a code block, whatever it says, and its message keeps its lines", () => {
		const problems = [{ ...at, message: "Type 'A' is not assignable.\n  Property 'b' is missing.", syntactic: false }, ...syntactic];
		expect(failureMessage(problems, { ...whole("Write me a haiku"), fenced: true })).toBe(
			"The program has an error: line 1, column 5 of the code block: Type 'A' is not assignable.\n  Property 'b' is missing.\nline 1, column 5 of the code block: ';' expected.",
		);
	});

	it("is judged in no time, however long it is", () => {
		const began = performance.now();
		for (const piece of ["\n", " ", "; ", "const ", "type a ", "return ", "\t\n"])
			failureMessage(syntactic, whole(`x${piece.repeat((256 * 1024) / piece.length)}x`));
		expect(performance.now() - began).toBeLessThan(1_000);
	});
});

it("[D8] a limit is told in words, with the name to search for", () => {
	const told = (limit: keyof typeof defaultScriptLimits) => limitMessage(limit, defaultScriptLimits);
	expect(told("memoryBytes")).toBe("The program used more than 134 MB of memory (memoryBytes).");
	expect(told("timeMs")).toBe("The program ran longer than 10 min (timeMs).");
	expect(told("toolCalls")).toBe("The program made more than 50,000 tool calls (toolCalls).");
	expect(checkLimitMessage({ valueMs: 10_000 })).toBe("Checking the program's types took longer than 10 s.");
	expect(checkLimitMessage({ valueBytes: 512 * 2 ** 20 })).toBe("Checking the program's types needed more than 537 MB of memory.");
});
