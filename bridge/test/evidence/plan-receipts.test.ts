import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { createEvidence } from "../../src/evidence/index.ts";
import { isRestored } from "../../src/evidence/is-restored.ts";
import { decideReview } from "../../src/plans/domain/decide-review.ts";
import { holdRestored } from "../../src/plans/scheduler.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { openBridge, SOON, toEmail } from "../plans/executor/executor-scene.ts";
import { type Play, ScriptedChannel } from "../plans/executor/scripted-channel.ts";
import { FakeClock } from "../ports/fake-clock.ts";
import { duePlan, found, second } from "../store/contracts/plan-fixture.ts";
import { executedIn } from "../store/count-statements.ts";
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

it("the cut end of a plan's chain is named by the ledger, also when nothing of it is left", async () => {
	await using home = await EvidenceHome.open(calls(1));
	const { planId } = await sentOne(home);
	// Its last line is written at once, and the plan's head with it.
	await home.run("one");
	await home.restart();
	for (const [kept, cut] of [
		[2, "n > 2"],
		[0, "n > 0"],
	] as const) {
		await using copy = await home.copy();
		expect(await copy.findings()).toEqual({ bridge: [], offline: [], exitCode: 0 });
		copy.sql(`DELETE FROM plan_receipt WHERE ${cut}`);
		const { bridge, offline, exitCode } = await copy.findings();
		expect(bridge).toEqual([{ code: "CUT", planId, n: kept }]);
		expect(offline).toEqual([{ code: "CUT", planId, n: kept }]);
		expect(exitCode).toBe(1);
	}
});

it("a message costs one commit when it is claimed, handed over and done, and its receipts cost none", async () => {
	await using home = await EvidenceHome.open(calls(1));
	const { plans } = home.core.store;
	const bridge = await openBridge(plans, { clock: new FakeClock(Date.parse(second(0))), channels: [new ScriptedChannel()] });
	const planId = await duePlan(plans, "p1", bridge.log.epoch, { delivery: [toEmail(WORDS)] });
	const commits: string[][] = [];
	bridge.log.onCommitted((events) => void commits.push(events.map(({ event: { body } }) => body.kind)));
	const executed = await executedIn(async () => {
		bridge.executor.begin();
		await expect.poll(async () => (await found(plans, planId)).newest?.status, SOON).toBe("completed");
		await bridge.executor[Symbol.asyncDispose]();
	});
	expect(commits).toEqual([
		["task:delivery", "receipt"],
		["task:delivery", "receipt"],
		["task:delivery_complete", "receipt"],
	]);
	expect(executed.filter(({ sql }) => sql === "COMMIT")).toHaveLength(3);
});

it("a plan whose bridge was killed before the ledger knew of its receipts gets its head at the next start", async () => {
	await using home = await EvidenceHome.open(calls(1));
	const { plans } = home.core.store;
	const bridge = await openBridge(plans, { clock: new FakeClock(Date.parse(second(0))), channels: [new ScriptedChannel()] });
	const planId = await duePlan(plans, "p1", bridge.log.epoch, { delivery: [toEmail(WORDS)] });
	bridge.executor.begin();
	await expect.poll(async () => (await found(plans, planId)).newest?.status, SOON).toBe("completed");
	await bridge.executor[Symbol.asyncDispose]();
	await home.run("one");
	await home.restart();
	const heads = async () => {
		using _reading = await home.evidence.ledger.read();
		const lines = (await home.ledgerText()).trimEnd().split("\n");
		return lines.map((line) => JSON.parse(line)).filter((line) => line.planId === planId);
	};
	await expect.poll(heads, SOON).toMatchObject([{ kind: "head", count: 3, late: true }]);
	await home.restart();
	expect(await heads()).toHaveLength(1);
});

const refusal = { code: "RECIPIENT_REFUSED", message: "550 no swordfish", fix: "Look for swordfish." } as const;
const answers: readonly (readonly [name: string, play: Play])[] = [
	["a refusal", async () => ({ kind: "refused", ...refusal })],
	["a hold", async () => ({ kind: "held", code: "CHANNEL_AUTH", message: "535 swordfish", fix: "swordfish" })],
	["a temporary refusal", async () => ({ kind: "passing", message: "451 swordfish" })],
	[
		"no answer",
		async ({ handOver, leave }) => {
			await handOver();
			leave();
			return { kind: "no_answer", message: "cut after swordfish" };
		},
	],
];

it.each(answers)("what a channel says at %s is in no receipt", async (_name, play) => {
	await using home = await EvidenceHome.open(calls(1));
	const { plans } = home.core.store;
	const channel = new ScriptedChannel();
	channel.play = play;
	const bridge = await openBridge(plans, { clock: new FakeClock(Date.parse(second(0))), channels: [channel] });
	const planId = await duePlan(plans, "p1", bridge.log.epoch, { delivery: [toEmail(WORDS)] });
	bridge.executor.begin();
	await expect
		.poll(async () => (await found(plans, planId)).newest?.delivery[0], SOON)
		.toMatchObject({ message: expect.stringContaining("swordfish") });
	await bridge.executor[Symbol.asyncDispose]();
	const { items } = await home.evidence.receipts.list({ planId, limit: 9 });
	expect(items.length).toBeGreaterThan(0);
	expect(JSON.stringify(items)).not.toContain("swordfish");
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

it("a ledger that can't be read keeps no bridge from starting, and its log says so", async () => {
	await using scratch = await scratchDirectory();
	await using home = await EvidenceHome.open(calls(1));
	await mkdir(join(scratch.path, "receipts", "ledger.jsonl"), { recursive: true });
	const { receipts, ledgerEnd } = home.core.store;
	const logged: string[] = [];
	const log = { error: (_details: object, message: string) => void logged.push(message) };
	const evidence = createEvidence({ bridgeHome: scratch.path, receipts, ends: ledgerEnd, clock: systemClock, log });
	expect(await evidence.isRestored()).toBe(false);
	expect(logged).toEqual(["the receipt ledger can't be read: the bridge can't tell whether a backup was restored"]);
});
