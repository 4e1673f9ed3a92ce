import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { isRestored } from "../../src/evidence/is-restored.ts";
import { decideReview } from "../../src/plans/domain/decide-review.ts";
import { holdRestored } from "../../src/plans/scheduler.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { openBridge, SOON, toEmail } from "../plans/executor/executor-scene.ts";
import { ScriptedChannel } from "../plans/executor/scripted-channel.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { duePlan, found, second } from "../store/contracts/plan-fixture.ts";
import { scratchDirectory } from "../store/sqlite-store-under-test.ts";
import { calls, EvidenceHome } from "./evidence-home.ts";

const WORDS = "The secret is swordfish";

/** A home whose plan has sent one message; `beforeSending` sees it when nothing has left. */
async function sentOne(home: EvidenceHome, beforeSending: () => Promise<void> = async () => undefined) {
	const { plans } = home.core.store;
	const channel = new ScriptedChannel();
	const bridge = await openBridge(plans, { clock: new FakeClock(Date.parse(second(0))), channels: [channel] });
	const planId = await duePlan(plans, "p1", bridge.log.epoch, { delivery: [toEmail(WORDS)] });
	bridge.log.onCommitted((events) => {
		const made = events.flatMap(({ event: { body } }) => (body.kind === "receipt" ? [body.receipt] : []));
		home.evidence.ledger.notePlan(planId, made);
	});
	await beforeSending();
	bridge.executor.begin();
	await expect.poll(async () => (await found(plans, planId)).newest?.status, SOON).toBe("completed");
	await bridge.executor[Symbol.asyncDispose]();
	return { planId, channel };
}

it("a message leaves three receipts, which hold nothing of its words", async () => {
	await using home = await EvidenceHome.open(calls(1));
	const { planId } = await sentOne(home);
	const { items } = await home.evidence.receipts.list({ planId, limit: 9 });
	expect(items.map(({ type, n }) => [n, type])).toEqual([
		[3, "delivery.succeeded"],
		[2, "delivery.handed_over"],
		[1, "delivery.requested"],
	]);
	expect(JSON.stringify(items)).not.toContain("swordfish");
});

it("a receipt of a plan that was changed is named with plan and number by the bridge and offline", async () => {
	await using home = await EvidenceHome.open(calls(1));
	const { planId } = await sentOne(home);
	// Its last line is written at once, and the ledger is there.
	await home.run("one");
	await using copy = await home.copy();
	expect(await copy.findings()).toEqual({ bridge: [], offline: [], exitCode: 0 });
	copy.sql(
		`UPDATE plan_event SET body = replace(body, '"attempt":1', '"attempt":2')
		WHERE seq = (SELECT seq FROM plan_receipt WHERE plan_receipt.plan = plan_event.plan AND n = 2)`,
	);
	const { bridge, offline, exitCode } = await copy.findings(home.evidence.ledger.publicKey);
	expect(bridge).toContainEqual({ code: "EDITED", planId, n: 2 });
	expect(offline).toContainEqual({ code: "EDITED", planId, n: 2 });
	expect(exitCode).toBe(1);
});

it("an earlier database under a later ledger holds what is open, and a person releases it", async () => {
	await using scratch = await scratchDirectory();
	const database = join(scratch.path, "bridge.sqlite");
	await using home = await EvidenceHome.open(calls(1));
	const { planId } = await sentOne(home, async () => {
		const db = new Database(join(home.core.home, "bridge", "bridge.sqlite"), { readonly: true });
		await db.backup(database);
		db.close();
	});
	await home.evidence.ledger.close();
	await mkdir(join(scratch.path, "receipts"));
	await copyFile(join(home.core.home, "bridge", "receipts", "ledger.jsonl"), join(scratch.path, "receipts", "ledger.jsonl"));
	const { receipts, ledgerEnd } = home.core.store;
	expect(await isRestored(join(home.core.home, "bridge", "receipts"), ledgerEnd, receipts)).toBe(false);

	const store = openSqliteStore(scratch.path);
	expect(await isRestored(join(scratch.path, "receipts"), store.ledgerEnd, store.receipts)).toBe(true);
	const clock = new FakeClock(Date.parse(second(1)));
	const channel = new ScriptedChannel();
	const { executor, log } = await openBridge(store.plans, { clock, channels: [channel] });
	await holdRestored({ store: store.plans, log, clock, catchUpMs: 60_000 });
	await executor.recover();
	executor.begin();
	const first = async () => (await found(store.plans, planId)).newest?.delivery[0];
	expect(await first()).toMatchObject({ status: "needs_review", code: "STORE_RESTORED" });
	expect(channel.journal).toEqual([]);
	await log.change(planId, ({ open, plan }) =>
		open.flatMap((one) => decideReview(one, undefined, { kind: "send", payloads: {} }, plan.threadId)),
	);
	executor.wake();
	await expect.poll(first, SOON).toMatchObject({ status: "completed" });
	expect(channel.journal).toHaveLength(1);
	await executor[Symbol.asyncDispose]();
	store.close();
});
