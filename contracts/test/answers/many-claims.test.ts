import { describe, expect, it } from "vitest";
import { checkAgentClaims, namedFiles } from "../../src/index.ts";
import { activityWith, reported } from "./reported-calls.ts";

const CALLS = 500;

/** Very many of the same claim. */
const many = (claim: string) => claim.repeat(Math.ceil(262_144 / claim.length));

/** The processor time that checking a text takes, in ms: the least of a few, because others use the machine too. */
function timeOf(text: string, calls: readonly string[]): number {
	const activity = activityWith(...calls.map((words) => ({ ...reported, status: "succeeded" as const, words })));
	let least = Number.POSITIVE_INFINITY;
	for (let turn = 0; turn < 3; turn++) {
		const from = process.cpuUsage();
		checkAgentClaims(text, { activity, delivered: { paths: [], count: 0 } });
		const { user, system } = process.cpuUsage(from);
		least = Math.min(least, (user + system) / 1_000);
	}
	return least;
}

const deploys = (index: number) => `kubectl apply -f service-${index}.yaml`;
const mails = (index: number) => `sendmail ${index === CALLS - 1 ? "ann" : `a${index}`}@example.com`;

describe("very many claims", () => {
	it.each([
		["topic", "I deployed service 499. ", deploys],
		["recipient", "I sent the mail to ann@example.com. ", mails],
		["files", "I created service-499.yaml, service-498.yaml and service-497.yaml. ", deploys],
	])("take no longer if there are very many calls, of which the last ones are about the same %s", (_what, claim, words) => {
		const calls = Array.from({ length: CALLS }, (_, index) => words(index));
		const text = many(claim);
		expect(timeOf(text, calls)).toBeLessThan(3 * timeOf(text, calls.slice(-3)) + 200);
	});

	it("take little longer if each of them introduces those after it as a list", () => {
		expect(timeOf(many("- I created:\n"), [deploys(1)])).toBeLessThan(5 * timeOf(many("I created:\n\nI saw.\n"), [deploys(1)]));
	});

	it("are not confused: a list ends at the first line that is no item, and blank lines may be in it", () => {
		const list = "I created:\n\n- a.md\n\n* **b.md**\n1. `c.md`: the third\nand then\n- d.md";
		expect(namedFiles(list)).toEqual(["a.md", "b.md", "c.md"]);
		expect(namedFiles("- I created:\n- a.md\n- b.md created:\n- c.md")).toEqual(["a.md", "b.md", "c.md"]);
	});
});
