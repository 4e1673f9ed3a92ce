import { Snapshot, TaskSummary } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { RunStore, UnfinishedRun } from "../../../ports/run-store.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { decodeRecord, decodeRun } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";
import { createThreadDeletion } from "./thread-deletion.ts";

/** Intents, their state and their snapshots. @throws StoreError, and ContractError for a bad cursor */
export function createRunStore(db: Database): RunStore {
	const sql = prepareStatements(db);
	const list = createKeysetList(db, {
		kind: "runs",
		table: "run_state",
		key: "run",
		body: "summary",
		filters: { threadId: "thread_id = @threadId", status: "status = @status" },
	});
	const decode = (row: { record: string } | undefined) => (row === undefined ? undefined : decodeRun(row.record));
	const deleteThread = createThreadDeletion(db);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		findRun: (runId) => reply(() => decode(sql.find.get(runId))),
		findTurn: (threadId, turnId) => reply(() => decode(sql.findTurn.get(threadId, turnId))),
		sealedSnapshot: (runId) =>
			reply(() => {
				const row = sql.snapshot.get(runId);
				return row === undefined ? undefined : decodeRecord(Snapshot, row.snapshot);
			}),
		unfinishedRuns: () => reply(() => sql.unfinished.all()),
		listRuns: ({ threadId, status, limit, cursor }) =>
			reply(() => {
				const { bodies, ...next } = list({ filter: { threadId, status }, limit, cursor });
				return { items: bodies.map((body) => decodeRecord(TaskSummary, body)), ...next };
			}),
		deleteThread: (threadId) => reply(() => deleteThread(threadId)),
	};
}

function prepareStatements(db: Database) {
	return {
		find: db.prepare<[string], { record: string }>("SELECT record FROM run WHERE run_id = ?"),
		findTurn: db.prepare<[string, string], { record: string }>("SELECT record FROM run WHERE thread_id = ? AND turn_id = ?"),
		unfinished: db.prepare<[], UnfinishedRun>(
			`SELECT run.run_id AS runId, run.thread_id AS threadId, run_state.status AS status,
				(SELECT max(seq) FROM event WHERE event.run = run.id) AS lastSeq
			FROM run_state JOIN run ON run.id = run_state.run
			WHERE run_state.status IN ('queued', 'running') ORDER BY run.id`,
		),
		snapshot: db.prepare<[string], { snapshot: string }>(
			"SELECT snapshot FROM sealed WHERE run = (SELECT run.id FROM run WHERE run_id = ?)",
		),
	};
}
