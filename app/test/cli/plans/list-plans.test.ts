import { type Plan, PlanId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const needsReview = plan({
	...{ planId: PlanId.parse("reviewed"), status: "needs_review", needsReview: 1 },
	occurrence: occurrence({ status: "needs_review", delivery: [action({ status: "needs_review" })] }),
});
const unknown = plan({
	...{ planId: PlanId.parse("unsettled"), status: "needs_review", needsReview: 1, unknownOutcomes: 1 },
	occurrence: occurrence({ status: "needs_review", delivery: [action({ status: "unknown" })] }),
});
const cancelled = plan({
	planId: PlanId.parse("stopped"),
	occurrence: occurrence({ status: "cancelled", code: "CANCELLED", delivery: [] }),
});
const scheduled = plan({ planId: PlanId.parse("later"), status: "pending", nextDueAt: "2099-01-01T09:00:00.000Z" });
const all: readonly Plan[] = [needsReview, unknown, cancelled, scheduled];

/** The ids of the plans that are listed, as the bridge selects those of its own states. */
async function listed(status: string): Promise<readonly string[] | string> {
	const { lines, said } = await runAgainst(
		{
			listPlans: async ({ status: wanted }) => ({
				items: all.filter((one) => wanted === undefined || one.status === wanted),
				feedSeq: 0,
			}),
			listApprovals: async () => [],
			tasks: async () => ({ items: [] }),
		},
		["plans", "list", "--status", status],
	);
	return said === "" ? lines.map((line) => line.split(" ")[0] ?? "") : said;
}

it.each(["needs_review", "Needs review", "needs-review", "NEEDS REVIEW"])("lists the plans that need a review as %s", async (word) => {
	expect(await listed(word)).toEqual(["reviewed", "unsettled"]);
});

it.each(["pending", "Scheduled"])("lists the plans that are due later as %s", async (word) => {
	expect(await listed(word)).toEqual(["later"]);
});

it("lists the plans in a state that only the list shows", async () => {
	expect(await listed("Cancelled")).toEqual(["stopped"]);
	expect(await listed("unknown")).toEqual(["unsettled"]);
	expect(await listed("not-verified")).toEqual(["No"]);
});

it("names the printed words and the protocol's for a state that there is not", async () => {
	const said = await listed("nearly");
	expect(said).toContain("Scheduled (pending)");
	expect(said).toContain("Needs review (needs_review)");
	expect(said).toContain("Not verified");
	const { said: help } = await runAgainst({}, ["plans", "list", "--help"]);
	expect(help.replaceAll(/\s+/g, " ")).toContain("Needs review (needs_review)");
});
