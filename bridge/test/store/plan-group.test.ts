import { PlanId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideDue } from "../../src/plans/domain/decide-occurrence.ts";
import { appendOf, found, making, second } from "./contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "./sqlite-store-under-test.ts";

it("what is appended at the same time is answered each for itself: written in order, behind, or refused alone", async () => {
	await using file = await openSqliteUnderTest();
	const { plans } = file.ports;
	const stale = await plans.beginEpoch(second(0));
	const ids = ["p1", "p2", "p3", "p4"].map((id) => PlanId.parse(id));
	for (const id of ids) await plans.append(making(id, stale));
	const epoch = await plans.beginEpoch(second(1));
	const of = async (id: string, by = epoch) => {
		const planId = PlanId.parse(id);
		const state = await found(plans, planId);
		return appendOf(state, planId, decideDue(state, { kind: "manual", dueAt: second(2) }), by);
	};
	const appends = [await of("p1"), await of("p2"), await of("p1"), await of("p3", stale), await of("p4")];
	const [one, two, again, refused, four] = await Promise.allSettled(appends.map((append) => plans.append(append)));
	expect([one, two, four].map((end) => end?.status === "fulfilled" && end.value.kind)).toEqual(["appended", "appended", "appended"]);
	expect(again).toMatchObject({ value: { kind: "behind" } });
	expect(refused).toMatchObject({ reason: { code: "STORE_REFUSED" } });
	const feed = await plans.readFeed({ afterFeedSeq: 4, limit: 9 });
	expect(feed.map(({ planId }) => planId)).toEqual(["p1", "p2", "p4"]);
	expect(await found(plans, PlanId.parse("p3"))).toMatchObject({ lastSeq: 1 });
});
