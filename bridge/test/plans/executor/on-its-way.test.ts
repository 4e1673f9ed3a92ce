import { expect, it } from "vitest";
import { onItsWaySince } from "../../../src/plans/executor/actions/on-its-way.ts";
import type { PlacedPlanEvent } from "../../../src/ports/plans/plan-event.ts";
import { actionOf, duePlan, found, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../../store/sqlite-store-under-test.ts";

it("a message is on its way since its work's end, or since a person let it go; its retries change nothing of that", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const open = openOne(await found(store, await duePlan(store, "p1", await store.beginEpoch(second(0)))));
	const { occurrence } = open;
	const { occurrenceId } = occurrence;
	const actionId = actionOf(open);
	const log = (...states: readonly (readonly [status: typeof occurrence.status, action: "pending" | "sending" | "needs_review"])[]) =>
		states.map(([status, action], index): PlacedPlanEvent => {
			const delivery = occurrence.delivery.map((one) => ({ ...one, status: action }));
			const body = { kind: "task:occurrence" as const, occurrence: { ...occurrence, status, delivery } };
			return { seq: index + 1, at: second(index), status: "running", event: { body } };
		});
	const since = (events: readonly PlacedPlanEvent[]) => onItsWaySince(events, { occurrenceId, actionId });
	expect(since(log(["running", "pending"], ["delivering", "pending"], ["delivering", "sending"], ["delivering", "pending"]))).toBe(
		second(1),
	);
	expect(since(log(["delivering", "pending"], ["needs_review", "needs_review"], ["delivering", "pending"]))).toBe(second(2));
	expect(since(log(["delivering", "pending"], ["needs_review", "needs_review"]))).toBeUndefined();
	expect(since([])).toBeUndefined();
});
