import { limits, type RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { PermissionAnswer } from "../../src/ports/agents/provider.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, type Play, say, whenAborted } from "./core-fixture.ts";
import { asking, decide, working } from "./plays.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const asks = (answers: PermissionAnswer[]): Play => {
	return async (_turn, sink, stop) => {
		await sink.handOver();
		const options = ["allow_once", "deny"] as const;
		answers.push(await sink.requestPermission({ title: "exec", toolKind: "execute", inputHash: "0".repeat(64), options }));
		await whenAborted(stop);
		return { kind: "cancelled", remote: false };
	};
};

/** The deadline that the log has. */
const deadlineIs = (core: Core, runId: RunId, time: number) =>
	expect.poll(async () => Date.parse((await core.service.snapshot(runId)).deadlineAt ?? "")).toBe(time);

it.each([
	{ runBudgetMs: 60 * MINUTE, approvalMs: 15 * MINUTE },
	{ runBudgetMs: 60 * DAY, approvalMs: 30 * DAY },
])("the same clock ends a request and then the run, which does not pay for the wait ($runBudgetMs ms)", async (times) => {
	const { runBudgetMs, approvalMs } = times;
	const clock = new FakeClock();
	const started = clock.now();
	const answers: PermissionAnswer[] = [];
	await using core = await Core.open(asks(answers), times, undefined, undefined, clock);
	const runId = await core.submit("t1");
	await core.until(runId, ({ event }) => event.type === "approval");
	clock.advance(approvalMs - 1);
	expect((await core.service.snapshot(runId)).pendingApprovals).toHaveLength(1);
	clock.advance(1);
	await core.until(runId, ({ event }) => event.type === "approval" && event.record.state === "expired");
	await expect.poll(() => answers).toEqual([{ decision: "expired" }]);
	const deadline = started + runBudgetMs + approvalMs;
	expect(Date.parse((await core.service.snapshot(runId)).deadlineAt ?? "")).toBe(deadline);
	clock.advance(deadline - clock.now() - 1);
	expect(await core.service.snapshot(runId)).toMatchObject({ status: "running" });
	clock.advance(1);
	expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED" });
});

it("a sleep of the machine uses up at most half a minute of a run's time, and of the time that it has to stop", async () => {
	const clock = new FakeClock();
	const started = clock.now();
	let isStopped = false;
	const deaf: Play = async (_turn, sink, stop) => {
		stop.addEventListener("abort", () => {
			isStopped = true;
		});
		await say(sink, "working");
		return new Promise(() => undefined);
	};
	const budgets = { runBudgetMs: 30 * MINUTE, deadlineGraceMs: 10 * MINUTE };
	await using core = await Core.open(deaf, budgets, undefined, undefined, clock);
	const runId = await core.submit("t1");
	await core.until(runId, working);
	const sleep = () => clock.set(clock.now() + 60 * MINUTE);
	clock.advance(10 * MINUTE);
	sleep();
	clock.advance(19 * MINUTE);
	expect(isStopped).toBe(false);
	await deadlineIs(core, runId, started + 90 * MINUTE - 30_000);
	clock.advance(MINUTE);
	expect(isStopped).toBe(true);
	// The call that ends the wait for the turn is still to come.
	expect(clock.pending).toBe(1);
	sleep();
	clock.advance(9 * MINUTE - 30_000);
	expect(clock.pending).toBe(1);
	clock.advance(MINUTE);
	expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED" });
});

it("a run that is asked to stop after a sleep of the machine is waited for no longer than another one", async () => {
	const clock = new FakeClock();
	const deaf: Play = async (_turn, sink) => {
		await say(sink, "working");
		return new Promise(() => undefined);
	};
	const budgets = { runBudgetMs: 60 * MINUTE, cancelConfirmMs: MINUTE, deadlineGraceMs: MINUTE };
	await using core = await Core.open(deaf, budgets, undefined, undefined, clock);
	const runId = await core.submit("t1");
	await core.until(runId, working);
	clock.advance(10 * MINUTE);
	clock.set(clock.now() + 8 * 60 * MINUTE);
	await core.service.cancel(runId);
	clock.advance(MINUTE);
	await deadlineIs(core, runId, clock.now() + limits.cancelDeadlineMs);
	clock.advance(limits.cancelDeadlineMs + MINUTE);
	expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED" });
});

it("a run that asks the user after a sleep of the machine is given back both the sleep and the wait", async () => {
	const clock = new FakeClock();
	const started = clock.now();
	const mayAsk = Promise.withResolvers<void>();
	const play: Play = async (turn, sink, stop) => {
		await say(sink, "working");
		await mayAsk.promise;
		return asks([])(turn, sink, stop);
	};
	const times = { runBudgetMs: 60 * MINUTE, approvalMs: 15 * MINUTE };
	await using core = await Core.open(play, times, undefined, undefined, clock);
	const runId = await core.submit("t1");
	await core.until(runId, working);
	clock.advance(10 * MINUTE);
	clock.set(clock.now() + 60 * MINUTE);
	mayAsk.resolve();
	await core.until(runId, ({ event }) => event.type === "approval");
	// The machine sleeps once more, until the request has expired.
	clock.set(clock.now() + 20 * MINUTE);
	await core.until(runId, ({ event }) => event.type === "approval" && event.record.state === "expired");
	clock.advance(MINUTE);
	await deadlineIs(core, runId, started + (60 + 60 + 20) * MINUTE - 30_000);
});

it.each([
	["at once", 5_000],
	["after ten minutes", 10 * MINUTE],
])("a run that was answered %s, shortly before a sleep of the machine, is given back the sleep", async (_when, waitedMs) => {
	const clock = new FakeClock();
	const started = clock.now();
	await using core = await Core.open(asks([]), { runBudgetMs: 60 * MINUTE, approvalMs: 15 * MINUTE }, undefined, undefined, clock);
	const runId = await core.submit("t1");
	const asked = await core.until(runId, asking);
	clock.advance(waitedMs);
	await decide(core, asked, "deny");
	await deadlineIs(core, runId, started + 60 * MINUTE + waitedMs);
	clock.set(clock.now() + 60 * MINUTE);
	clock.advance(MINUTE);
	await deadlineIs(core, runId, started + 120 * MINUTE + waitedMs - 30_000);
});
