import type { Occurrence, WorkItem } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { planLines } from "../../../src/cli/plans/plan-lines.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const work: readonly WorkItem[] = [{ description: "case planhang", status: "pending" }];
const runs = [{ runId: "run-1", threadId: "thread-of-beaches", turnId: "beaches-1-1" }] as never;
const reading = { now: Date.parse("2026-01-02T03:05:00.000Z"), zone: "UTC" };
const dropped = [action({ status: "failed", code: "CANCELLED", attempts: 0 })];

it.each<[string, Partial<Occurrence>]>([
	["In progress", { status: "running", runs, delivery: [action({ status: "pending", attempts: 0 })] }],
	["Skipped", { status: "skipped", code: "OVERLAP", delivery: dropped }],
	["Cancelled", { status: "cancelled", code: "CANCELLED", runs, delivery: dropped }],
])("`plans show` says “%s” of the work for such a due time", (word, change) => {
	const lines = planLines(plan({ occurrence: occurrence({ work: [...work], ...change }) }), reading);
	expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ +${word}: case planhang$`)));
});

it("the work of a plan that was deleted before its first time is cancelled, and of any other is to do", () => {
	const { occurrence: _none, ...never } = plan({ work: [...work] });
	expect(planLines({ ...never, status: "deleted" }, reading)).toContain("  Cancelled: case planhang");
	expect(planLines({ ...never, status: "pending" }, reading)).toContain("  To do: case planhang");
});
