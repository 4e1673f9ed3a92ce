import { join } from "node:path";
import { NewPlan, openRpcDocument, Plan, PlanUpdateBody } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { openBridge, SOON, toEmail } from "../plans/executor/executor-scene.ts";
import { ScriptedChannel } from "../plans/executor/scripted-channel.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { duePlan, found, newPlan, second } from "./contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "./sqlite-store-under-test.ts";

/** The file of a plan whose message was sent. */
async function sent() {
	const store = await openSqliteUnderTest();
	const { plans } = store.ports;
	const channel = new ScriptedChannel();
	const bridge = await openBridge(plans, { clock: new FakeClock(Date.parse(second(0))), channels: [channel] });
	const planId = await duePlan(plans, "p1", bridge.log.epoch, { delivery: [toEmail("Good morning")] });
	bridge.executor.begin();
	await expect.poll(async () => (await found(plans, planId)).newest?.status, SOON).toBe("completed");
	await bridge.executor[Symbol.asyncDispose]();
	const db = new Database(join(store.home, DATABASE_FILE), { readonly: true });
	return {
		...{ db, channel, planId, plans },
		[Symbol.asyncDispose]: async () => {
			db.close();
			await store[Symbol.asyncDispose]();
		},
	};
}

it("[T2-76] a plan's work and delivery are stored with it as JSON, as they are shown", async () => {
	await using file = await sent();
	const row = file.db.prepare<[], { work: string; delivery: string }>("SELECT work, delivery FROM plan_state").get();
	const { newest } = await found(file.plans, file.planId);
	expect(JSON.parse(row?.work ?? "")).toEqual(newest?.work);
	expect(JSON.parse(row?.delivery ?? "")).toEqual(newest?.delivery);
	expect(JSON.parse(row?.delivery ?? "")).toMatchObject([{ channel: "email", content: "Good morning", status: "completed" }]);
});

it("[T2-77] no table has steps of a plan, and no method takes or gives them", async () => {
	await using file = await sent();
	const columns = file.db
		.prepare<[], { name: string }>("SELECT t.name || '.' || c.name AS name FROM sqlite_master t, pragma_table_info(t.name) c")
		.all()
		.map(({ name }) => name);
	expect(columns).toContain("plan_state.work");
	expect(columns.filter((name) => /\.(?:steps|current_?step)$/i.test(name))).toEqual([]);
	const named = openRpcDocument()
		.methods.filter((method) => /"(?:steps|current_?step)"/i.test(JSON.stringify(method)))
		.map(({ name }) => name);
	// What the test of a channel did, one after the other.
	expect(named).toEqual(["xworkmate.channels.test"]);
});

it("[T2-92] a plan with steps is refused, and all that is stored on the way to a sent message is of the typed flow", async () => {
	const terms = newPlan("p2");
	expect(NewPlan.safeParse(terms).success).toBe(true);
	expect(NewPlan.safeParse({ ...terms, steps: [{ description: "send" }] }).success).toBe(false);
	await using file = await sent();
	const bodies = file.db.prepare<[], { body: string }>("SELECT body FROM plan_event ORDER BY seq").all();
	const kinds = bodies.map(({ body }) => PlanUpdateBody.parse(JSON.parse(body).body).kind);
	expect(kinds[0]).toBe("task:created");
	expect(kinds.filter((kind) => kind === "task:delivery")).toHaveLength(2);
	expect(kinds.at(-1)).toBe("receipt");
	const { plan } = await found(file.plans, file.planId);
	expect(Plan.parse(plan)).toEqual(plan);
	// The executor is what sent it: of each attempt there is a claim and a hand-over of its own.
	expect(file.channel.journal).toHaveLength(1);
	const attempts = file.db.prepare("SELECT n, handed_over_at IS NOT NULL AS handedOver, outcome FROM delivery_attempt").all();
	expect(attempts).toMatchObject([{ n: 1, handedOver: 1 }]);
});
