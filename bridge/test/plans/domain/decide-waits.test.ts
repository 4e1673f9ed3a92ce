import { RunId, type RunWait } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideCancel, decideRunKnown } from "../../../src/plans/domain/decide-occurrence.ts";
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
	expect([waits({ ...full, since: second(90) }), newest()?.waits]).toEqual([false, full]);
	expect([known(), newest()?.runId, newest()?.waits]).toEqual([true, "run-1", undefined]);
	expect(waits(full)).toBe(false);
});

it("work that waits says another reason with the same code, but no more than one in a minute", () => {
	const { newest, waits } = scene();
	const unavailable = (message: string, seconds: number): RunWait => ({ code: "GATEWAY_UNAVAILABLE", message, since: second(seconds) });
	const silent = (seconds: number) => unavailable("OpenClaw has not responded yet.", seconds);
	const off = (seconds: number) => unavailable("The plugin is turned off.", seconds);
	expect([waits(silent(1)), waits(off(6)), waits(full)]).toEqual([true, false, false]);
	expect(newest()?.waits).toEqual(silent(1));
	expect([waits(off(61)), newest()?.waits]).toEqual([true, off(61)]);
	// The clock has been set back.
	expect([waits(silent(-3_600)), newest()?.waits]).toEqual([true, silent(-3_600)]);
});

it("work that is cancelled while it waits no longer says why it has no run", () => {
	const { story, waits } = scene();
	waits(full);
	expect(story.decides((state) => decideCancel(openOne(state)))).toBe(true);
	expect(story.newest?.status).toBe("cancelled");
	expect(story.newest?.runs).toEqual([expect.not.objectContaining({ waits: expect.anything() })]);
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
