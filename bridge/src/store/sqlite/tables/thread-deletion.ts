import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunId, ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ThreadDeletion } from "../../../ports/runs/thread-deletion.ts";
import { answer } from "../rows/translate-error.ts";

/** How many runs are deleted together: first all of their files, then their records. */
const PAGE_RUNS = 100;
/** A transaction ends once it has removed this many rows. */
const MOST_ROWS = 1_000;
/** A transaction also ends after this many milliseconds, because events differ in size. */
const LONG_MS = 5;
/** How many rows one statement removes. */
const STEP_ROWS = 50;

interface Run {
	readonly id: number;
	readonly runId: RunId;
	/** The size of the run's intent in pages of 4096 bytes. Removing it counts as removing this many rows. */
	readonly pages: number;
}

/** The tables with a run's records, in the order that foreign keys require. `run` itself comes last. */
const tablesOfRun = ["receipt", "run_step", "event", "change", "approval", "artifact", "delivery", "sealed", "run_bytes", "run_state"];

/**
 * Deletes threads. While a thread is in `deleting`, the triggers allow its rows to be deleted, and clients don't see it (rows/shown.ts).
 */
export function createThreadDeletion(db: Database): ThreadDeletion {
	const sql = prepareStatements(db);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);

	/** Removes some of these runs' rows. Returns how many runs, counted from the first, are now completely removed. */
	const removePart = db.transaction((runs: readonly Run[]): number => {
		const until = performance.now() + LONG_MS;
		let left = MOST_ROWS;
		const isEnough = (rows: number): boolean => {
			left -= rows;
			return left <= 0 || (left < MOST_ROWS && performance.now() > until);
		};
		for (const [gone, { id, pages }] of runs.entries()) {
			for (const removeRows of sql.removeRows) {
				let rows: number;
				do {
					rows = removeRows.run(id).changes;
					if (isEnough(rows)) return gone;
				} while (rows === STEP_ROWS);
			}
			sql.removeRun.run(id);
			if (isEnough(pages)) return gone + 1;
		}
		return runs.length;
	});

	const finish = db.transaction((threadId: ThreadId) => {
		sql.session.run(threadId);
		sql.shown.run(threadId);
	});

	async function removeRecords(runs: readonly Run[], signal: AbortSignal | undefined): Promise<void> {
		for (let next = 0; next < runs.length; await nextTurn()) {
			signal?.throwIfAborted();
			next += await reply(() => removePart.immediate(runs.slice(next)));
		}
	}

	return {
		isBusy: (threadId) => reply(() => sql.unfinished.get(threadId) !== undefined),
		hasPlan: (threadId) => reply(() => sql.plan.get(threadId) !== undefined),
		projectDirectories: async (threadId) => {
			const found = new Set<string>();
			// Intents are read one at a time, because each contains a prompt of up to 4 MiB.
			for (let after = 0; ; await nextTurn()) {
				const intent = await reply(() => sql.nextIntent.get(threadId, after));
				if (intent === undefined) return [...found];
				if (intent.directory !== null) found.add(intent.directory);
				after = intent.id;
			}
		},
		hide: (threadId) => reply(() => void sql.hide.run(threadId)),
		hidden: () => reply(() => sql.hidden.all().map((row) => row.threadId)),
		remove: async (threadId, removeFiles, signal) => {
			for (let removed = 0; ; ) {
				const runs = await reply(() => sql.runs.all(threadId, PAGE_RUNS));
				for (const { runId } of runs) {
					signal?.throwIfAborted();
					await removeFiles(runId);
				}
				await removeRecords(runs, signal);
				removed += runs.length;
				if (runs.length > 0) continue;
				await reply(() => finish.immediate(threadId));
				return removed;
			}
		},
	};
}

function prepareStatements(db: Database) {
	return {
		unfinished: db.prepare<[string], unknown>("SELECT 1 FROM run_state WHERE thread_id = ? AND status IN ('queued', 'running') LIMIT 1"),
		plan: db.prepare<[string], unknown>(
			`SELECT 1 FROM plan JOIN plan_state ON plan_state.plan = plan.id
			WHERE plan.thread_id = ? AND (plan_state.status NOT IN ('completed', 'failed', 'deleted') OR has_open = 1) LIMIT 1`,
		),
		nextIntent: db.prepare<[string, number], { id: number; directory: string | null }>(
			`SELECT run.id AS id, json_extract(record, '$.projectDirectory') AS directory FROM run_state JOIN run ON run.id = run_state.run
			WHERE run_state.thread_id = ? AND run_state.run > ? ORDER BY run_state.run LIMIT 1`,
		),
		hide: db.prepare<[string]>("INSERT OR IGNORE INTO deleting (thread_id) VALUES (?)"),
		hidden: db.prepare<[], { threadId: ThreadId }>("SELECT thread_id AS threadId FROM deleting"),
		runs: db.prepare<[string, number], Run>(
			"SELECT id, run_id AS runId, 1 + octet_length(record) / 4096 AS pages FROM run WHERE thread_id = ? LIMIT ?",
		),
		removeRows: tablesOfRun.map((table) => db.prepare<[number]>(`DELETE FROM ${table} WHERE run = ? LIMIT ${STEP_ROWS}`)),
		removeRun: db.prepare<[number]>("DELETE FROM run WHERE id = ?"),
		session: db.prepare<[string]>("DELETE FROM session WHERE thread_id = ?"),
		shown: db.prepare<[string]>("DELETE FROM deleting WHERE thread_id = ?"),
	};
}
