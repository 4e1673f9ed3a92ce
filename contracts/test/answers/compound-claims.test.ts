import { describe, expect, it } from "vitest";
import type { ActivityStatus } from "../../src/index.ts";
import { activityWith, byAgent, edit, reported } from "./reported-calls.ts";

const ran = (command: string, status: ActivityStatus = "succeeded") => ({ ...reported, words: command, command, status }) as const;
const problems = (text: string, ...commands: readonly string[]) => byAgent(text, activityWith(...commands.map((one) => ran(one)))).length;

describe("a sentence that claims several things", () => {
	it.each([
		["All tests pass and lint is clean.", "npm test", "npm run lint"],
		["The unit tests and the linter pass.", "npm test", "npm run lint"],
		["The build and the tests pass.", "npm run build", "npm test"],
		["All tests pass, and the build succeeded.", "npm test", "npm run build"],
		["The tests & the type check are green.", "npm test", "npx mypy src"],
		["Everything has been committed and pushed.", "git commit -m Fix", "git push"],
		["I fixed the bug and pushed the commit.", "git commit -am Fix", "git push"],
		["The build passes and I deployed the build.", "npm run build", "vercel --prod"],
		["I merged the pull request and deployed it.", "gh pr merge 4", "kubectl apply -f app.yaml"],
	])("is backed only by calls for each of them: %s", (text, first, second) => {
		expect(problems(text, first, second)).toBe(0);
		expect(problems(text, first)).toBe(1);
		expect(problems(text, `${first} && ${second}`)).toBe(0);
	});

	it.each([
		["The tests for the build script pass.", "npm test"],
		["I ran the tests and they all pass.", "npm test"],
		["I ran the linter and found nothing to fix, and the tests pass.", "npm test && npm run lint"],
		["I checked the linter's settings carefully and the tests pass.", "npm test"],
		["I pushed and told Anna.", "git push"],
		["I pushed the release branch.", "git push origin HEAD"],
		["I merged the feature branch.", "git pull origin feature"],
		["I published the article.", "wp article create"],
		["I installed vitest and all tests pass.", "pnpm add -D vitest && pnpm test"],
		["CI is green.", "gh pr checks"],
	])("claims no more than it says: %s", (text, command) => {
		expect(problems(text, command)).toBe(0);
	});

	it("may be about an edit where another word could be about a call", () => {
		const text = "I merged the helpers into utils.ts and updated the imports.";
		const edited = { ...edit, words: "src/utils.ts", status: "succeeded" } as const;
		expect(byAgent(text, activityWith(edited))).toEqual([]);
		expect(byAgent("Fixed the build and all tests pass.", activityWith(edited, ran("npm test")))).toEqual([]);
	});

	it("is refuted by any of its checks that failed, also if another did not run", () => {
		const claim = "The build and all tests pass.";
		expect(byAgent(claim, activityWith(ran("npm test", "failed")))).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
	});

	it("is refuted by one of its checks that failed", () => {
		const text = "All tests pass and lint is clean.";
		expect(byAgent(text, activityWith(ran("npm test"), ran("npm run lint", "failed")))).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
	});
});
