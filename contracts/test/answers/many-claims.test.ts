import { describe, expect, it } from "vitest";
import { checkAgentClaims, namedFiles } from "../../src/index.ts";
import { activityWith, reported } from "./reported-calls.ts";

const CALLS = 500;
const LENGTH = 131_072;

/** The processor time that checking a text takes, in ms: the least of a few, because others use the machine too. */
function timeOf(text: string, words: (index: number) => string): number {
	const activity = activityWith(
		...Array.from({ length: CALLS }, (_, index) => ({ ...reported, status: "succeeded" as const, words: words(index) })),
	);
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

describe("very many claims about very many calls", () => {
	// Without reading each call and each line once, every one of these takes many seconds, in which the bridge does nothing else.
	it.each([
		["a topic", "I deployed service 499. ", deploys],
		["a recipient", "I sent the mail to ann@example.com. ", mails],
		["a file", "I created service-499.yaml. ", deploys],
		["several files", "I created service-499.yaml, service-498.yaml and service-497.yaml. ", deploys],
		["a list", "I created:\n", deploys],
		["items that introduce lists", "- I created:\n", deploys],
		["items with files that introduce lists", "- service-499.yaml created:\n", deploys],
	])("are checked in little time if each is about %s", (_what, claim, words) => {
		expect(timeOf(claim.repeat(Math.ceil(LENGTH / claim.length)), words)).toBeLessThan(1_500);
	});

	it("are not confused: a list ends at the first line that is no item, and blank lines may be in it", () => {
		const list = "I created:\n\n- a.md\n\n* **b.md**\n1. `c.md`: the third\nand then\n- d.md";
		expect(namedFiles(list)).toEqual(["a.md", "b.md", "c.md"]);
		expect(namedFiles("- I created:\n- a.md\n- b.md created:\n- c.md")).toEqual(["a.md", "b.md", "c.md"]);
	});
});
