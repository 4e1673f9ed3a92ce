import type { Occurrence, WorkItem } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { planLine, planLines } from "../../../src/cli/plans/plan-lines.ts";
import { updateLine } from "../../../src/cli/plans/update-line.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const work: readonly WorkItem[] = [{ description: "case planhang", status: "pending" }];
const runs = [{ runId: "run-1", threadId: "thread-of-beaches", turnId: "beaches-1-1" }] as never;
const begun = { threadId: "thread-of-beaches", turnId: "beaches-1-1" };
const submitted = [begun] as never;
const pending = [action({ status: "pending", attempts: 0 })];
const reading = { now: Date.parse("2026-01-02T03:05:00.000Z"), zone: "UTC" };
const dropped = [action({ status: "failed", code: "CANCELLED", attempts: 0 })];

it.each<[string, Partial<Occurrence>]>([
	["In progress", { status: "running", runs, delivery: pending }],
	["Waiting to start", { status: "running", runs: submitted, delivery: pending }],
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

it("a plan whose work no agent has begun is not running: it waits to start, or is queued", () => {
	const said = (one: Partial<Occurrence>, isQueued?: boolean) => {
		const run = { threadId: "thread-of-beaches", turnId: "beaches-1-1", isAskedToStop: false, isQueued: isQueued === true };
		const now = { active: isQueued === undefined ? [] : [run], asked: new Set<undefined>() };
		const made = plan({ status: "running", occurrence: occurrence({ status: "running", work: [...work], delivery: pending, ...one }) });
		const lines = planLines(made, { ...reading, runs: now });
		return [planLine(made, { ...reading, runs: now }).split("  ")[1], lines[0]?.split("  ")[1], lines[3]?.trim().split("  ")[0]];
	};
	expect(said({ runs: submitted })).toEqual(Array(3).fill("Waiting to start"));
	expect(said({ runs }, true)).toEqual(Array(3).fill("Queued"));
	expect(said({ runs }, false)).toEqual(Array(3).fill("Running"));
	expect(said({ runs: submitted }, false)).toEqual(Array(3).fill("Running"));
});

it("`plans watch` says “Running” of a due time once its work has a run, and not before", () => {
	const line = (one: Occurrence["runs"], more: object = {}) => {
		const update = { kind: "task:occurrence", occurrence: occurrence({ status: "running", runs: one, delivery: pending }), ...more };
		return updateLine({ planId: "beaches", seq: 2, at: "2026-01-02T03:04:05.006Z", update } as never, reading);
	};
	expect(line(submitted)).toContain("Waiting to start: due");
	expect(line(runs, { runId: "run-1" })).toContain("Running: due");
});

it("`plans show` and `plans watch` say why work has not begun, and when that was last found", () => {
	const waits = { code: "QUEUE_FULL", message: "The queue is full.", since: "2026-01-02T03:04:00.000Z" };
	const one = occurrence({ status: "running", runs: [{ ...begun, waits }] as never, delivery: pending, work: [...work] });
	const why = /Couldn’t start at .*3:04.*: The queue is full\. XWorkmate keeps trying\.$/;
	expect(planLines(plan({ status: "running", occurrence: one }), reading)).toContainEqual(expect.stringMatching(why));
	const update = { kind: "task:occurrence", occurrence: one, turnId: "beaches-1-1" };
	const watched = (shown: Occurrence) =>
		updateLine({ planId: "beaches", seq: 2, at: "2026-01-02T03:04:05.006Z", update: { ...update, occurrence: shown } } as never, reading);
	expect(watched(one)).toMatch(why);
	// A bridge of an earlier version keeps the reason of work that was cancelled.
	expect(watched({ ...one, status: "cancelled", code: "CANCELLED" })).not.toContain("keeps trying");
});
