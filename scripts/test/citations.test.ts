import { describe, expect, it } from "vitest";
import type { Requirement } from "../../e2e/requirements/requirement.ts";
import { citationProblems, citedRequirements } from "../house/citations.ts";

const cited = (text: string) => [...citedRequirements([{ path: "a.test.ts", text }]).keys()];
const requirement = (id: string, state: Requirement["state"]): Requirement => ({
	id,
	state,
	source: "TaskThread workflow",
	behaviour: "b",
});

describe("citations", () => {
	it.each([
		['it("[T4-17] streams", () => {})', ["T4-17"]],
		['describe("[A1-02] sandbox", () => {})', ["A1-02"]],
		['it.each([1])("[T4-01] [T4-02] both of %d", () => {})', ["T4-01", "T4-02"]],
		["it(`[T4-01, T4-02] $" + "{name}`, () => {})", ["T4-01", "T4-02"]],
		['it("streams [T4-17]", () => {})', []],
		['it.skip("[T4-17] streams", () => {})', []],
		['it.fails("[T4-17] streams", () => {})', []],
		['it.skip.each([1])("[T4-17] streams", () => {})', []],
		['// it("[T4-17] streams")', []],
		['const x = "[T4-17] streams"', []],
	])("in %s are %j", (text, ids) => {
		expect(cited(text)).toEqual(ids);
	});

	it("fail on an unknown id, an uncited verified one, and a cited later one", () => {
		const problems = citationProblems(
			[requirement("T4-01", "verified"), requirement("T4-02", "later"), requirement("T4-03", "verified"), requirement("T4-04", "later")],
			new Map([
				["T4-01", ["a.test.ts"]],
				["T4-02", ["a.test.ts"]],
				["T4-99", ["a.test.ts"]],
			]),
		);
		expect(problems).toEqual([
			"a.test.ts: no requirement is named T4-99",
			"T4-02 is said to come later, but a.test.ts cites it: mark it verified",
			"no test cites T4-03 (b), which is said to be verified",
		]);
	});
});
