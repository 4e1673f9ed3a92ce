import { PlanId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { runScript } from "./child-process.ts";
import { appendOf, comeDue, found, making, second } from "./contracts/plan-fixture.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

const PLANS = 500;

it("gives a message to one of two processes that claim it at the same time, each of 500 times", { timeout: 60_000 }, async () => {
	await using scratch = await scratchDirectory();
	const store = openSqliteStore(scratch.path);
	const epoch = await store.plans.beginEpoch(second(0));
	const ids = Array.from({ length: PLANS }, (_, index) => PlanId.parse(`p${index}`));
	await store.plans.appendAll(ids.map((id) => making(id, epoch, { delivery: [{ channel: "email", recipient: id, content: "Hi" }] })));
	const [first] = ids;
	if (first === undefined) throw new Error("there are some");
	await comeDue(store.plans, first, epoch);
	const like = await found(store.plans, first);
	const others = await Promise.all(ids.slice(1).map((id) => found(store.plans, id)));
	await store.plans.appendAll(
		others.map((state) => {
			const { planId } = state.plan;
			const occurrence = JSON.parse(JSON.stringify(like.newest).replaceAll(/"p0(?=[-"])/g, `"${planId}`));
			return appendOf(state, planId, [{ body: { kind: "task:occurrence", occurrence } }], epoch);
		}),
	);
	store.close();

	await using one = runScript("claim-plans.ts", scratch.path, "a", String(epoch));
	expect(await one.nextLine()).toBe("ready");
	// The home's lock lets one process open the store at a time, because opening may remove a write-ahead log that nobody uses yet.
	await using other = runScript("claim-plans.ts", scratch.path, "b", String(epoch));
	expect(await other.nextLine()).toBe("ready");
	const won: PlanId[][] = [[], []];
	for (const id of ids) {
		for (const process of [one, other]) process.say(id);
		const answers = [await one.nextLine(), await other.nextLine()];
		expect(answers.toSorted(), id).toEqual(["lost", "won"]);
		won[answers.indexOf("won")]?.push(id);
	}

	const after = openSqliteStore(scratch.path);
	for (const [index, untilSecond] of [60, 61].entries())
		for (const planId of won[index] ?? []) {
			const { open } = await found(after.plans, planId);
			expect(Object.values(open[0]?.claims ?? {})).toEqual([{ epoch, until: second(untilSecond) }]);
		}
	expect(await after.plans.leftSince("email", second(0))).toEqual({ left: 0, claimed: PLANS });
	expect(await after.plans.abandoned(epoch + 1, second(0))).toHaveLength(PLANS);
	after.close();
});
