import type { Snapshot, TaskSummary } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { RunFacts, RunRecord } from "../../../ports/runs/run-record.ts";
import type { RunStore, UnfinishedRun } from "../../../ports/runs/run-store.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { SHOWN, shownRun } from "../rows/shown.ts";
import { decodeRecord, decodeRow, type RecordRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

/**
 * Reads runs' intents, state and snapshots.
 * @throws StoreError, and ContractError for an invalid cursor
 */
export function createRunStore(db: Database): RunStore {
	const sql = prepareStatements(db);
	const list = createKeysetList(db, {
		kind: "runs",
		table: "run_state",
		key: "run",
		body: "summary",
		always: SHOWN,
		filters: { threadId: "thread_id = @threadId", status: "status = @status" },
	});
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		findRun: (runId) => reply(() => decodeRow<RunRecord>(sql.find.get(runId))),
		findTurn: (threadId, turnId) => reply(() => decodeRow<RunRecord>(sql.findTurn.get(threadId, turnId))),
		// Read from the run's summary, which contains all these facts in a few hundred bytes.
		findFacts: (run) =>
			reply(() => decodeRow<RunFacts>("runId" in run ? sql.facts.get(run.runId) : sql.factsOfTurn.get(run.threadId, run.turnId))),
		sealedSnapshot: (runId) => reply(() => decodeRow<Snapshot>(sql.snapshot.get(runId))),
		unfinishedRuns: () => reply(() => sql.unfinished.all()),
		listRuns: ({ threadId, status, limit, cursor }) =>
			reply(() => {
				const { bodies, ...next } = list({ filter: { threadId, status }, limit, cursor });
				return { items: bodies.map((body) => decodeRecord<TaskSummary>(body)), ...next };
			}),
	};
}

function prepareStatements(db: Database) {
	const summaryOf = (run: string) => `SELECT summary AS body FROM run_state WHERE run = (SELECT run.id FROM run WHERE ${run}) AND ${SHOWN}`;
	return {
		find: db.prepare<[string], RecordRow>(`SELECT record AS body FROM run WHERE run_id = ? AND ${SHOWN}`),
		findTurn: db.prepare<[string, string], RecordRow>(`SELECT record AS body FROM run WHERE thread_id = ? AND turn_id = ? AND ${SHOWN}`),
		facts: db.prepare<[string], RecordRow>(summaryOf("run_id = ?")),
		factsOfTurn: db.prepare<[string, string], RecordRow>(summaryOf("run.thread_id = ? AND turn_id = ?")),
		unfinished: db.prepare<[], UnfinishedRun>(
			`SELECT run.run_id AS runId, run.thread_id AS threadId, run_state.status AS status,
				(SELECT max(seq) FROM event WHERE event.run = run.id) AS lastSeq
			FROM run_state JOIN run ON run.id = run_state.run
			WHERE run_state.status IN ('queued', 'running') ORDER BY run.id`,
		),
		snapshot: db.prepare<[string], RecordRow>(`SELECT snapshot AS body FROM sealed WHERE run = ${shownRun("?")}`),
	};
}
