import { join } from "node:path";
import { PlanId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { decideDue } from "../../src/plans/domain/decide-occurrence.ts";
import type { PlanStore } from "../../src/ports/plans/plan-store.ts";
import { openBridgeDatabase } from "../../src/store/sqlite/file/bridge-database.ts";
import { DATABASE_FILE, openSqliteStore } from "../../src/store/sqlite/index.ts";
import { createPlanStore } from "../../src/store/sqlite/tables/plan-store.ts";
import { noMount, smallDisk } from "../small-disk.ts";
import { appendOf, found, hashOf, making, second } from "./contracts/plan-fixture.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

const planId = PlanId.parse("p1");

/** An event with all that goes along with one: an occurrence, its message, and a payload of a megabyte. */
async function large(plans: PlanStore, epoch: number) {
	const state = await found(plans, planId);
	const append = appendOf(state, planId, decideDue(state, { kind: "manual", dueAt: second(1) }), epoch);
	const payload = { sha256: hashOf("x"), channel: "email", mediaType: "text/plain", bytes: Buffer.alloc(2 ** 20), envelope: "{}" } as const;
	return { ...append, payloads: [payload] };
}

async function expectAllOrNothing(plans: PlanStore, free: () => void): Promise<void> {
	const epoch = 1;
	const before = await found(plans, planId);
	const append = await large(plans, epoch);
	await expect(plans.append(append)).rejects.toMatchObject({ name: "StoreError", code: "STORE_FULL" });
	expect(await plans.find(planId)).toEqual(before);
	expect(await plans.lastFeedSeq()).toBe(1);
	expect((await plans.occurrences(planId, 9)).items).toEqual([]);
	expect(await plans.payload(hashOf("x"))).toBeUndefined();
	free();
	expect(await plans.append(append)).toMatchObject({ kind: "appended" });
	expect((await plans.occurrences(planId, 9)).items).toHaveLength(1);
}

describe("a full disk", () => {
	it("takes all of what an event of a plan writes, or nothing", async () => {
		await using scratch = await scratchDirectory();
		const db = openBridgeDatabase(join(scratch.path, DATABASE_FILE));
		const plans = createPlanStore(db);
		await plans.append(making(planId, await plans.beginEpoch(second(0))));
		// SQLite reports the page limit as it does a disk without space.
		const pages = Number(db.pragma("page_count", { simple: true }));
		db.pragma(`max_page_count = ${pages + 20}`);
		await expectAllOrNothing(plans, () => db.pragma("max_page_count = 1000000"));
		db.close();
	});

	it.skipIf(noMount !== undefined)("does so on a file system without space", async () => {
		using disk = smallDisk(4);
		const store = openSqliteStore(disk.path);
		await store.plans.append(making(planId, await store.plans.beginEpoch(second(0))));
		disk.fill(64 * 1024);
		await expectAllOrNothing(store.plans, () => disk.free());
		store.close();
	});
});
