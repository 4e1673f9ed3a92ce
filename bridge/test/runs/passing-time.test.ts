import { expect, it } from "vitest";
import type { PermissionAnswer } from "../../src/ports/agents/provider.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, type Play, whenAborted } from "./core-fixture.ts";

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

it.each([
	{ runBudgetMs: 60 * MINUTE, approvalMs: 15 * MINUTE },
	{ runBudgetMs: 60 * DAY, approvalMs: 30 * DAY },
])("the same clock ends a request and then the run, which does not pay for the wait ($runBudgetMs ms)", async (limits) => {
	const { runBudgetMs, approvalMs } = limits;
	const clock = new FakeClock();
	const started = clock.now();
	const answers: PermissionAnswer[] = [];
	await using core = await Core.open(asks(answers), limits, undefined, undefined, clock);
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
