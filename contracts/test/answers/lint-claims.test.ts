import { describe, expect, it } from "vitest";
import type { ActivityStatus } from "../../src/index.ts";
import { activityWith, byAgent, reported } from "./reported-calls.ts";

const ran = (command: string, status: ActivityStatus) => ({ ...reported, words: command, command, status }) as const;

describe("a claim that a check passed", () => {
	it.each([
		["Lint passes.", "npm run lint"],
		["The linter passed.", "npx eslint ."],
		["ESLint reports no problems, and ruff is clean: lint is green.", "ruff check ."],
		["There are no lint errors.", "npx biome check"],
		["Clippy passes without errors.", "cargo clippy -- -D warnings"],
		["I ran the linter.", "golangci-lint run"],
		["Lint passes.", "npm run check"],
		["The type check passes.", "npx tsc --noEmit"],
		["mypy passes.", "mypy src"],
		["Type checking succeeded.", "npm run build"],
	])("may be about a linter or a type checker: %s", (text, command) => {
		expect(byAgent(text, activityWith(ran("npm install", "succeeded")))).toHaveLength(1);
		expect(byAgent(text, activityWith(ran("npm test", "succeeded")))).toHaveLength(1);
		expect(byAgent(text, activityWith(ran(command, "succeeded")))).toEqual([]);
	});

	it.each(["npm run lint || true", "eslint --help", "npm install eslint", "cat eslint.config.js", "git commit -m 'Fix lint'"])(
		"a linter is not shown to have passed by %s",
		(command) => {
			expect(byAgent("Lint passes.", activityWith(ran(command, "succeeded")))).toHaveLength(1);
		},
	);

	it.each(["Lint still fails.", "I'll run the linter next.", "The function passes its types on.", "2 lint errors are left."])(
		"a linter is not said to have passed by “%s”",
		(text) => {
			expect(byAgent(text, undefined)).toEqual([]);
		},
	);
});
