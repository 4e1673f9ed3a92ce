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
const working = plan({
	...{ planId: PlanId.parse("working"), status: "running", needsReview: 1 },
	occurrence: occurrence({ status: "running", delivery: [action({ status: "pending", attempts: 0 })] }),
});
const asking = plan({
	...{ planId: PlanId.parse("asking"), status: "running" },
	occurrence: occurrence({
		status: "running",
		runs: [{ runId: "run-asks", threadId: "thread-of-asking", turnId: "asking-1-1" } as never],
		delivery: [],
	}),
});
/** Plans whose work no agent has begun: the bridge has not made a run of it, or the run waits for its turn. */
const [waiting, queued] = (["waiting", "queued"] as const).map((id) =>
	plan({
		...{ planId: PlanId.parse(id), status: "running" },
		occurrence: occurrence({
			status: "running",
			runs: [{ ...(id === "queued" && { runId: "run-queued" }), threadId: `thread-of-${id}`, turnId: `${id}-1-1` } as never],
			delivery: [],
		}),
	}),
) as [Plan, Plan];
const done = plan({ planId: PlanId.parse("done"), status: "completed" });
const deleted = plan({ planId: PlanId.parse("gone"), status: "deleted" });
const all: readonly Plan[] = [needsReview, unknown, cancelled, scheduled, working, asking, waiting, queued, done, deleted];

/** The ids of the plans that are listed. The bridge selects by its own states, and lists deleted plans only by theirs. */
async function listed(status: string): Promise<readonly string[] | string> {
	const { lines, said } = await runAgainst(
		{
			listPlans: async ({ status: wanted }) => ({
				items: all.filter((one) => (wanted === undefined ? one.status !== "deleted" : one.status === wanted)),
				feedSeq: 0,
			}),
			listApprovals: async () => [{ runId: "run-asks" } as never],
			tasks: async () => ({
				items: [{ runId: "run-queued", threadId: "thread-of-queued", turnId: "queued-1-1", status: "queued" } as never],
			}),
		},
		["plans", "list", "--status", status],
	);
	return said === "" ? lines.map((line) => line.split(" ")[0] ?? "") : said;
}

it.each(["Needs review", "needs-review", "NEEDS REVIEW"])("lists the plans that print a review as %s, and no others", async (word) => {
	expect(await listed(word)).toEqual(["reviewed", "working"]);
});

it("lists the plans that the bridge calls needs_review by that word of the protocol", async () => {
	expect(await listed("needs_review")).toEqual(["reviewed", "unsettled"]);
});

it("lists by a word that the protocol has too only the plans that print it", async () => {
	expect(await listed("completed")).toEqual(["done"]);
	expect(await listed("Running")).toEqual(["working"]);
	expect(await listed("needs you")).toEqual(["asking"]);
	expect(await listed("deleted")).toEqual(["gone"]);
});

it.each(["pending", "Scheduled"])("lists the plans that are due later as %s", async (word) => {
	expect(await listed(word)).toEqual(["later"]);
});

it.each([
	["Waiting to start", ["waiting"]],
	["queued", ["queued"]],
	["running", ["working"]],
])("lists the plans whose state is printed as %s, whether or not an agent works for them", async (word, ids) => {
	expect(await listed(word)).toEqual(ids);
});

it("lists the plans in a state that only the list shows", async () => {
	expect(await listed("Cancelled")).toEqual(["stopped"]);
	expect(await listed("unknown")).toEqual(["unsettled"]);
	expect(await listed("not-verified")).toEqual(["No"]);
});

it("names the printed words and the protocol's for a state that there is not", async () => {
	const said = await listed("nearly");
	expect(said).toContain("Scheduled, Running, Needs review,");
	expect(said).toContain("Not verified");
	expect(said).toContain("pending, needs_review.");
	const { said: help } = await runAgainst({}, ["plans", "list", "--help"]);
	expect(help.replaceAll(/\s+/g, " ")).toContain(
		"Only plans in this state, as the list shows it (in upper or lower case): Scheduled, Running, Needs review,",
	);
	expect(help.replaceAll(/\s+/g, " ")).toContain("or exactly as the bridge calls it: pending, needs_review");
});
