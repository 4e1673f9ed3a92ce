import { describe, expect, it } from "vitest";
import type { PlanStore } from "../../../src/ports/plans/plan-store.ts";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { noMount, type SmallDisk, smallDisk } from "../../small-disk.ts";
import { duePlan, found, second } from "../../store/contracts/plan-fixture.ts";
import { openBridge, SOON } from "./executor-scene.ts";
import { InboxChannel, ScriptedChannel } from "./scripted-channel.ts";

/** A store whose disk is full from a given commit on, counted from when it is armed, until it is freed. */
function fillingAt(store: PlanStore, disk: SmallDisk) {
	const state = { left: Number.POSITIVE_INFINITY, refused: 0 };
	const append: PlanStore["append"] = async (what) => {
		if (--state.left === 0) disk.fill();
		try {
			return await store.append(what);
		} catch (error) {
			expect(error).toMatchObject({ name: "StoreError", code: "STORE_FULL" });
			state.refused += 1;
			throw error;
		}
	};
	return { state, store: { ...store, append } };
}

const commits = [
	{ channel: "email", commit: "the claim", at: 1 },
	{ channel: "email", commit: "the hand-over", at: 2 },
	{ channel: "email", commit: "the outcome", at: 3 },
	{ channel: "dashboard", commit: "the row of the inbox", at: 1 },
] as const;

describe.skipIf(noMount !== undefined)("a disk that is full", () => {
	it.each(commits)("at $commit of a message by $channel delays it, and it leaves once", async ({ channel: id, at }) => {
		using disk = smallDisk(4);
		const whole = openSqliteStore(disk.path);
		const { store, state } = fillingAt(whole.plans, disk);
		const clock = new FakeClock(Date.parse(second(0)));
		const channel = id === "email" ? new ScriptedChannel("email") : new InboxChannel();
		const bridge = await openBridge(store, { clock, channels: [channel] });
		// Its text fills pages, so that no commit fits into what is left of one.
		const planId = await duePlan(store, "p1", bridge.log.epoch, { delivery: [{ channel: id, content: "Good morning ".repeat(600) }] });
		state.left = at;
		bridge.executor.begin();
		await expect.poll(() => state.refused, SOON).toBeGreaterThan(0);
		disk.free();
		await expect
			.poll(async () => {
				clock.advance(1_000);
				return (await found(whole.plans, planId)).newest?.status;
			}, SOON)
			.toBe("completed");
		expect(channel.journal.length + (await whole.plans.inbox({ limit: 9 })).items.length).toBe(1);
		expect(bridge.fatal).toEqual([]);
		await bridge.executor[Symbol.asyncDispose]();
		bridge.log[Symbol.dispose]();
		whole.close();
	});
});
