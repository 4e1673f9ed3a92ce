import { describe, expect, it } from "vitest";
import { expressionProblem } from "../house/expression-problem.ts";
import { regularExpressions } from "../house/regular-expressions.ts";

const path = "bridge/src/x.ts";

describe("the check of regular expressions", () => {
	it("finds literals and what is made with RegExp, with where it stands", () => {
		const text = 'const a = /x+/g;\nconst b = [new RegExp("y*", "i"), RegExp("z")];\nconst c = new RegExp(x + y);\n';
		expect(regularExpressions({ path, text })).toEqual([
			{ place: `${path}:1`, path, text: "x+", pattern: { source: "x+", flags: "g" } },
			{ place: `${path}:2`, path, text: "y*", pattern: { source: "y*", flags: "i" } },
			{ place: `${path}:2`, path, text: "z", pattern: { source: "z", flags: "" } },
			{ place: `${path}:3`, path, text: "x + y", pattern: undefined },
		]);
	});

	it.each([
		["the code fence that hung a bridge", "^[ \\t]*(`{3,})[ \\t]*([^`\\r\\n]*?)[ \\t]*\\r?\\n?$", "3rd degree"],
		["blanks at the end", "[ \\t]+$", "2nd degree"],
		["repeats of repeats", "^(a+)+$", "exponential"],
	])("flags %s", async (_name, source, words) => {
		expect(await expressionProblem({ pattern: { source, flags: "" } })).toContain(words);
	});

	it("takes what is linear and refuses what it cannot read", async () => {
		expect(await expressionProblem({ pattern: { source: "^[a-z]+-\\d+$", flags: "i" } })).toBeUndefined();
		expect(await expressionProblem({ pattern: undefined })).toContain("made when it runs");
	});
});
