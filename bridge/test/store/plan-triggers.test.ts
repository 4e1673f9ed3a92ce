import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { decideCancel } from "../../src/plans/domain/decide-occurrence.ts";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { claim, claimUntil, comeDue, duePlan, handOver, openOne, second, write } from "./contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "./sqlite-store-under-test.ts";

/** A file with a plan (key 1) whose occurrence 1 was cancelled, and whose occurrence 2 has a message that was handed over. */
async function fileWithPlan(): Promise<AsyncDisposable & { readonly db: Database.Database }> {
	const store = await openSqliteUnderTest();
	const { plans } = store.ports;
	const epoch = await plans.beginEpoch(second(0));
	const planId = await duePlan(plans, "p1", epoch);
	await write(plans, planId, (state) => decideCancel(openOne(state)), { epoch });
	await comeDue(plans, planId, epoch, second(1));
	await claim(plans, planId, claimUntil(epoch));
	await handOver(plans, planId, claimUntil(epoch));
	const db = new Database(join(store.home, DATABASE_FILE));
	return {
		db,
		[Symbol.asyncDispose]: async () => {
			db.close();
			await store[Symbol.asyncDispose]();
		},
	};
}

const event = (seq: number, epoch = 1, verb = "INSERT") =>
	`${verb} INTO plan_event (plan, seq, at, status, epoch, body) VALUES (1, ${seq}, '', 'running', ${epoch}, '{}')`;
const last = "(SELECT max(id) FROM delivery_action)";
const attempt = (n: number, verb = "INSERT") =>
	`${verb} INTO delivery_attempt (action, n, epoch, claimed_at) VALUES (${last}, ${n}, 1, '')`;

describe("the file holds the rules of plans against any writer", () => {
	it.each([
		["a changed plan", "UPDATE plan SET input_hash = ''", "plan rows never change"],
		["a deleted plan", "DELETE FROM plan", "plan rows stay"],
		["a changed event", "UPDATE plan_event SET body = '{}'", "append-only"],
		["a deleted event", "DELETE FROM plan_event WHERE seq = 2", "append-only"],
		["a gap", event(99), "no gaps"],
		["a repeated seq", event(2), "no gaps"],
		["a replaced event", event(2, 1, "INSERT OR REPLACE"), "no gaps"],
		[
			"an event in the place of another",
			"INSERT OR REPLACE INTO plan_event VALUES (2, 1, (SELECT max(seq) + 1 FROM plan_event), '', 'running', 1, '{}')",
			"no gaps",
		],
		["an event of an earlier bridge", `INSERT INTO bridge_epoch (at) VALUES (''); ${event(8)}`, "another bridge has taken over"],
		[
			"a message that was handed over twice",
			`${attempt(2)}; UPDATE delivery_attempt SET handed_over_at = '' WHERE n = 2`,
			"may have arrived",
		],
		["a hand-over that is repeated", `UPDATE delivery_attempt SET handed_over_at = 'later' WHERE action = ${last}`, "may have arrived"],
		[
			"a hand-over without a claim before it",
			`INSERT INTO delivery_attempt (action, n, epoch, claimed_at, handed_over_at) VALUES (${last}, 2, 1, '', '')`,
			"begins with its claim",
		],
		["a replaced attempt", attempt(1, "INSERT OR REPLACE"), "begins with its claim"],
		["a deleted attempt", "DELETE FROM delivery_attempt", "attempts stay"],
		[
			"a refusal that is taken back",
			"UPDATE delivery_attempt SET outcome = 'refused'; UPDATE delivery_attempt SET outcome = 'unknown'",
			"the attempt is over",
		],
		["a cancelled message that is sent", "UPDATE delivery_action SET status = 'pending' WHERE id = 1", "the message is over"],
		["a cancelled occurrence that goes on", "UPDATE occurrence SET status = 'delivering' WHERE id = 1", "the occurrence is over"],
		["a message that nobody sends", `UPDATE delivery_action SET epoch = NULL WHERE id = ${last}`, "CHECK"],
		[
			"a changed payload",
			"INSERT INTO payload VALUES ('a', 'email', '', '', x''); UPDATE payload SET bytes = x'00'",
			"payload rows never change",
		],
	])("refuses %s", async (_, sql, reason) => {
		await using file = await fileWithPlan();
		const content = () =>
			["plan", "plan_event", "occurrence", "delivery_action"].map((table) => file.db.prepare(`SELECT * FROM ${table}`).all());
		const before = content();
		expect(() => file.db.exec(sql)).toThrow(reason);
		expect(content()).toEqual(before);
	});
});
