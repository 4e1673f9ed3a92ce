import { type RunId, Snapshot, TaskSummary, type ThreadId, type TurnId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { LoggedEvent } from "../../../ports/run-event.ts";
import type { RunRecord } from "../../../ports/run-record.ts";
import type { Page, RunQuery } from "../../../ports/run-store.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { decodeEvent, decodeRecord, decodeRun, type EventRow } from "../rows/stored-json.ts";

export interface RunReader {
	find(runId: RunId): RunRecord | undefined;
	findTurn(threadId: ThreadId, turnId: TurnId): RunRecord | undefined;
	unfinished(): readonly RunRecord[];
	list(query: RunQuery): Page<TaskSummary>;
	events(runId: RunId, afterSeq: number, limit: number): readonly LoggedEvent[];
	snapshot(runId: RunId): Snapshot | undefined;
}

/** Reads intents, their state, their events and their snapshots. */
export function createRunReader(db: Database): RunReader {
	const sql = prepareStatements(db);
	const list = createKeysetList(db, {
		kind: "runs",
		table: "run_state",
		key: "run",
		body: "summary",
		filters: { threadId: "thread_id = @threadId", status: "status = @status" },
	});
	const decode = (row: { record: string } | undefined) => (row === undefined ? undefined : decodeRun(row.record));
	return {
		find: (runId) => decode(sql.find.get(runId)),
		findTurn: (threadId, turnId) => decode(sql.findTurn.get(threadId, turnId)),
		unfinished: () => sql.unfinished.all().map((row) => decodeRun(row.record)),
		list: ({ threadId, status, limit, cursor }) => {
			const { bodies, ...next } = list({ filter: { threadId, status }, limit, cursor });
			return { items: bodies.map((body) => decodeRecord(TaskSummary, body)), ...next };
		},
		events: (runId, afterSeq, limit) => sql.events.all(runId, afterSeq, limit).map(decodeEvent),
		snapshot: (runId) => {
			const row = sql.snapshot.get(runId);
			return row === undefined ? undefined : decodeRecord(Snapshot, row.snapshot);
		},
	};
}

function prepareStatements(db: Database) {
	return {
		find: db.prepare<[string], { record: string }>("SELECT record FROM run WHERE run_id = ?"),
		findTurn: db.prepare<[string, string], { record: string }>("SELECT record FROM run WHERE thread_id = ? AND turn_id = ?"),
		unfinished: db.prepare<[], { record: string }>(
			`SELECT record FROM run JOIN run_state ON run_state.run = run.id
			WHERE run_state.status IN ('queued', 'running') ORDER BY run.id`,
		),
		events: db.prepare<[string, number, number], EventRow>(
			`SELECT seq, at, status, body FROM event
			WHERE run = (SELECT run.id FROM run WHERE run_id = ?) AND seq > ? ORDER BY seq LIMIT ?`,
		),
		snapshot: db.prepare<[string], { snapshot: string }>(
			"SELECT snapshot FROM sealed WHERE run = (SELECT run.id FROM run WHERE run_id = ?)",
		),
	};
}
