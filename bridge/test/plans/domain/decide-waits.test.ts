import { RunId, type RunWait } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideRunKnown } from "../../../src/plans/domain/decide-occurrence.ts";
import { decideWaits } from "../../../src/plans/domain/decide-waits.ts";
import { measurePlans } from "../../../src/plans/measure-plans.ts";
import { openOne, second } from "../../store/contracts/plan-fixture.ts";
import { Story } from "./plan-story.ts";

const full: RunWait = { code: "QUEUE_FULL", message: "The queue is full.", since: second(1) };

function scene() {
	const story = new Story([{ channel: "dashboard" }]).due();
	const newest = () => openOne(story.state).occurrence.runs.at(-1);
	const turnId = newest()?.turnId;
	if (turnId === undefined) throw new Error("its work was not submitted");
	const waits = (why: RunWait) => story.decides((state) => decideWaits(openOne(state), turnId, why));
	const known = () => story.decides((state) => decideRunKnown(openOne(state), turnId, RunId.parse("run-1")));
	return { story, turnId, newest, waits, known };
}

it("work that waits says why, as long as it has no run", () => {
	const { newest, waits, known } = scene();
	expect([waits(full), newest()?.waits]).toEqual([true, full]);
	expect([waits({ ...full, since: second(6) }), newest()?.waits]).toEqual([false, full]);
	expect([known(), newest()?.runId, newest()?.waits]).toEqual([true, "run-1", undefined]);
	expect(waits(full)).toBe(false);
});

it("work that waits is not measured as begun once more", () => {
	const { story, turnId } = scene();
	const { planId } = story.state.plan;
	const { body } = decideWaits(openOne(story.state), turnId, full)[0] ?? {};
	if (body?.kind !== "task:occurrence") throw new Error("nothing was decided");
	const began: number[] = [];
	const measured = (runs: typeof body.occurrence.runs) => {
		const occurrence = { ...body.occurrence, kind: "scheduled" as const, revision: 2, runs };
		measurePlans([{ planId, seq: 3, feedSeq: 3, status: "running", at: second(3), event: { body: { ...body, occurrence } } }], {
			began: (seconds: number) => void began.push(seconds),
			delivered: () => undefined,
		} as never);
	};
	measured(body.occurrence.runs);
	expect(began).toEqual([]);
	measured(body.occurrence.runs.map(({ waits: _none, ...run }) => run));
	expect(began).toEqual([2]);
});
