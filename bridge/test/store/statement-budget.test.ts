import { join } from "node:path";
import { PlanId, type ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import type { RunLogStore } from "../../src/ports/runs/run-store.ts";
import { DATABASE_FILE, openSqliteStore } from "../../src/store/sqlite/index.ts";
import { acceptance, appendOf, approval, approvalEvent, artifact, runRecord, said, sealing, time } from "./contracts/run-fixture.ts";
import type { StorePorts } from "./contracts/store-under-test.ts";
import { executedIn, preparedIn } from "./count-statements.ts";
import { openSqliteUnderTest, scratchDirectory } from "./sqlite-store-under-test.ts";

const started = (seq: number): LoggedEvent => ({
	seq,
	at: time(seq),
	status: "running",
	event: { type: "started", deadlineAt: time(900) },
});

/** The statements that `work` executes, without those that begin and end transactions. */
async function statements(work: () => Promise<unknown>): Promise<string[]> {
	return (await executedIn(work)).map(({ sql }) => sql).filter((sql) => !/^(?:BEGIN|COMMIT)/.test(sql));
}

describe("the statements of a run", () => {
	it("are ten in its whole life of four events and two commits", async () => {
		await using store = await openSqliteUnderTest();
		const { log } = store.ports;
		const record = runRecord("run-1");
		const first = acceptance(record);
		const end = sealing(record, 4);
		const executed = await statements(async () => {
			await log.insertRun(record, { ...first, events: [...first.events, started(2)] });
			await log.append([{ ...end, events: [said(3), ...end.events] }]);
		});
		expect(executed.map((sql) => sql.split(" ").slice(0, 5).join(" "))).toEqual([
			"INSERT INTO run (run_id, thread_id,",
			"INSERT OR REPLACE INTO change",
			"INSERT INTO event (run, seq,",
			"INSERT INTO event (run, seq,",
			"INSERT INTO run_state (run, thread_id,",
			"INSERT OR REPLACE INTO change",
			"INSERT INTO event (run, seq,",
			"INSERT INTO event (run, seq,",
			"UPDATE run_state SET status =",
			"INSERT INTO sealed (run, snapshot)",
		]);
	});

	it("are two for a piece of its text, which leaves the indexes of its status as they are", async () => {
		await using store = await openSqliteUnderTest();
		const { log } = store.ports;
		const record = runRecord("run-1");
		const first = acceptance(record);
		await log.insertRun(record, { ...first, events: [...first.events, started(2)] });
		expect(await statements(() => log.append([appendOf(record, [said(3)])]))).toEqual([
			"INSERT INTO event (run, seq, at, status, body) VALUES (?, ?, ?, ?, ?)",
			"UPDATE run_state SET summary = ? WHERE run = ?",
		]);
	});

	it("are one for a question about it, for its snapshot, for a page of a list and for a thread's grants, and none reads an intent", async () => {
		await using store = await openSqliteUnderTest();
		const { log, runs, approvals } = store.ports;
		const record = runRecord("run-1");
		await log.insertRun(record, acceptance(record));
		const { runId, threadId, turnId } = record;
		const questions = [
			() => runs.findFacts({ runId }),
			() => runs.findFacts({ threadId, turnId }),
			() => runs.sealedSnapshot(runId),
			() => runs.listRuns({ limit: 50 }),
			() => approvals.grants({ threadId, now: 0 }),
		];
		for (const question of questions) {
			const executed = await statements(question);
			expect(executed).toHaveLength(1);
			expect(executed[0]).not.toContain("record");
		}
	});
});

describe("every statement", () => {
	/** Tables that only ever have a few rows, or are read as a whole on purpose. */
	const small = new Set([
		"child_process",
		"attempt",
		"deleting",
		"bytes_kept",
		"change_log",
		"sqlite_sequence",
		"tool_acceptance",
		"tool_policy",
		"auth_profile_state",
		"operator_thread",
	]);
	/** Indexes that have nothing but what is looked for, and are read from their beginning as far as the limit. */
	const queues = /USING (?:COVERING )?INDEX (?:run_bytes_kept|run_bytes_leaving|operator_post_unfinished|action_ready_at)$/;
	/**
	 * Counted over an index of a few bytes a row, once for each plan that is made and each page of the inbox; receipts once for each
	 * verification, which reads all of them.
	 */
	const counts = /^SELECT count\(\*\) (?:AS count )?FROM (?:plan_state|dashboard_message|plan_receipt|receipt)\b/;
	/** What a recursive query has found by itself. */
	const own = new Set(["filled", "CONSTANT"]);

	it("finds its rows by an index, those that a foreign key asks for included", async () => {
		await using scratch = await scratchDirectory();
		const prepared = await preparedIn(async () => {
			const store = openSqliteStore(scratch.path);
			const [threadId, runId] = [runRecord("run-1").threadId, runRecord("run-1").runId];
			for (const filter of [{}, { threadId }, { status: "running" as const }, { threadId, status: "failed" as const }])
				await store.runs.listRuns({ ...filter, limit: 1 });
			for (const filter of [{}, { runId }, { state: "pending" as const }, { runId, state: "pending" as const }])
				await store.approvals.listApprovals({ ...filter, limit: 1 });
			for (const filter of [{}, { status: "failed" as const }, { needsReview: true }, { status: "failed" as const, needsReview: true }])
				await store.plans.list({ ...filter, limit: 1 });
			await store.plans.occurrences(PlanId.parse("p1"), 1);
			for (const filter of [{}, { unread: true }]) await store.plans.inbox({ ...filter, limit: 1 });
			store.close();
		});
		using db = closing(new Database(join(scratch.path, DATABASE_FILE)));
		db.pragma("foreign_keys = ON");
		const scans = prepared
			.filter((sql) => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql) && !sql.includes("sqlite_schema"))
			.flatMap((sql) => {
				const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?|@\w+/g, "1")}`).all();
				return plan.map(({ detail }) => ({ sql, detail, table: /^SCAN (\w+)/.exec(detail)?.[1] }));
			})
			.filter(({ table }) => table !== undefined && !small.has(table) && !own.has(table))
			.filter(({ sql, detail }) => !queues.test(detail) && !(counts.test(sql) && detail.includes("COVERING INDEX")));
		expect(prepared.length).toBeGreaterThan(50);
		expect(scans).toEqual([]);
	});
});

describe("a deletion", () => {
	afterEach(() => vi.restoreAllMocks());

	/** A sealed run of 4,000 events, five of them requests, and 1,500 files. */
	async function longRun(log: RunLogStore): Promise<ThreadId> {
		const record = runRecord("run-1");
		await log.insertRun(record, acceptance(record));
		const asked = Array.from({ length: 5 }, (_, index) => approvalEvent(index + 2, approval(`a-${index}`, record)));
		const pieces = Array.from({ length: 3_993 }, (_, index) => said(index + 7));
		await log.append([appendOf(record, [...asked, ...pieces])]);
		const files = Array.from({ length: 1_500 }, (_, index) => artifact(record, `${index}.md`));
		await log.append([sealing(record, 4_000, files)]);
		return record.threadId;
	}

	/** How many rows each transaction of a deletion removes. */
	async function partsOf({ deletion }: StorePorts, threadId: ThreadId): Promise<readonly number[]> {
		await deletion.hide(threadId);
		const parts: number[] = [];
		for (const { sql, rows } of await executedIn(() => deletion.remove(threadId, async () => undefined))) {
			if (sql.startsWith("BEGIN")) parts.push(0);
			if (sql.startsWith("DELETE")) parts.push((parts.pop() ?? 0) + rows);
		}
		return parts;
	}

	it("removes about 1,000 rows at once", async () => {
		await using store = await openSqliteUnderTest();
		const threadId = await longRun(store.ports.log);
		vi.spyOn(performance, "now").mockReturnValue(0);
		const parts = await partsOf(store.ports, threadId);
		expect(parts.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(5_500);
		expect(Math.max(...parts)).toBeLessThan(1_050);
		expect(parts.length).toBeLessThan(9);
	});

	it("removes fewer when they take long", async () => {
		await using store = await openSqliteUnderTest();
		const threadId = await longRun(store.ports.log);
		let now = 0;
		vi.spyOn(performance, "now").mockImplementation(() => (now += 2));
		expect(Math.max(...(await partsOf(store.ports, threadId)))).toBe(150);
	});

	it("removes an intent of megabytes in a transaction of its own", async () => {
		await using store = await openSqliteUnderTest();
		const { log } = store.ports;
		const records = ["run-1", "run-2", "run-3"].map((id) => runRecord(id, "thread-1", "x".repeat(4 * 2 ** 20)));
		for (const record of records) {
			await log.insertRun(record, acceptance(record));
			await log.append([sealing(record, 2)]);
		}
		vi.spyOn(performance, "now").mockReturnValue(0);
		// Of each run: two events, its change, its snapshot, its state and itself; then the mark that the thread is hidden.
		expect(await partsOf(store.ports, runRecord("any").threadId)).toEqual([6, 6, 6, 1]);
	});
});

describe("retention", () => {
	it("reads one page of the oldest runs and marks it in one commit", async () => {
		await using store = await openSqliteUnderTest();
		const { log, artifacts } = store.ports;
		for (let index = 0; index < 6; index++) {
			const record = runRecord(`run-${index}`);
			await log.insertRun(record, acceptance(record));
			await log.append([sealing(record, 2, [artifact(record, "a.md")])]);
		}
		const executed = await executedIn(() => artifacts.expire({ maxAgeMs: 0, maxBytes: 0, now: Date.parse(time(9)) }, 3));
		expect(executed.map(({ sql, rows }) => `${sql.split(" ")[0]} ${rows}`)).toEqual([
			"BEGIN 0",
			"SELECT 4",
			"SELECT 1",
			"UPDATE 1",
			"UPDATE 1",
			"UPDATE 1",
			"COMMIT 0",
		]);
	});
});

function closing(db: Database.Database): Database.Database & Disposable {
	return Object.assign(db, { [Symbol.dispose]: () => void db.close() });
}
