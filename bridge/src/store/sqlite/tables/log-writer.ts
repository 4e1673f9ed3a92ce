import { isTerminal, type RunId, type RunStatus, type ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import { isListed } from "../../../ports/runs/change-store.ts";
import type { LoggedEvent } from "../../../ports/runs/run-event.ts";
import type { RunRecord } from "../../../ports/runs/run-record.ts";
import type { InsertRunResult, RunAppend } from "../../../ports/runs/run-store.ts";
import { StoreError } from "../../store-error.ts";
import { nextReceipt } from "../rows/next-receipt.ts";
import { decodeRow, type RecordRow } from "../rows/stored-json.ts";
import { createApprovalProjection } from "./approval-projection.ts";
import { createSealWriter } from "./seal-writer.ts";

/** The end of a run's log. */
interface LogEnd {
	readonly run: number;
	readonly threadId: ThreadId;
	readonly lastSeq: number;
	readonly status: RunStatus;
}

export interface LogWriter {
	insert(record: RunRecord, append: RunAppend): InsertRunResult;
	append(batch: readonly RunAppend[]): void;
}

/**
 * Writes intents and events. Each call is one transaction, durable when it returns. Caches the ends of open logs in memory, which is safe
 * because no other process writes to this home.
 */
export function createLogWriter(db: Database): LogWriter {
	const sql = prepareStatements(db);
	const projectApproval = createApprovalProjection(db);
	const seal = createSealWriter(db);
	const ends = new Map<RunId, LogEnd>();

	/** Inserts a run, and returns the end of its log; undefined if the turn already has a run. */
	function insertRun(record: RunRecord, append: RunAppend): LogEnd | undefined {
		if (append.runId !== record.runId) throw invalid(append, "its record belongs to another run");
		const { changes, lastInsertRowid } = sql.insertRun.run(record.runId, record.threadId, record.turnId, JSON.stringify(record));
		if (changes === 0) return undefined;
		return write({ run: Number(lastInsertRowid), threadId: record.threadId, lastSeq: 0, status: "queued" }, append);
	}

	function appendOne(append: RunAppend): readonly [RunId, LogEnd] {
		const end = ends.get(append.runId) ?? sql.logEnd.get(append.runId);
		// Until the whole batch is committed, the cache may differ from the file.
		ends.delete(append.runId);
		if (end === undefined) throw new StoreError("RUN_UNKNOWN", `There is no run ${append.runId}.`);
		return [append.runId, write(end, append)];
	}

	function write(end: LogEnd, append: RunAppend): LogEnd {
		const last = checkFollows(end, append);
		// The run's change is written once, and before those of its approvals, so that a reader gets the run first.
		if (append.events.some(({ event }) => event.type !== "approval" && isListed(event))) sql.runChanged.run(end.run);
		for (const logged of append.events) {
			sql.insertEvent.run(end.run, logged.seq, logged.at, logged.status, logged.text ?? JSON.stringify(logged.event));
			if (logged.event.type === "approval") projectApproval(end.run, end.threadId, logged.event.record);
			if (logged.event.type === "receipt") {
				const { n, at, type, origin, toolId, toolCallId } = logged.event.receipt;
				sql.insertReceipt.run(end.run, n, logged.seq, at, type, origin, toolId ?? null, toolCallId ?? null);
			}
		}
		writeState(end, last.status, JSON.stringify(append.summary));
		for (const { n, at, step } of append.steps ?? []) sql.insertStep.run(end.run, n, step.kind, at, JSON.stringify(step));
		if (append.sealed === undefined) return { ...end, lastSeq: last.seq, status: last.status };
		// The steps are no longer needed, because no program continues after its run has ended, and they may be large.
		if (append.sealed.hasSteps === true) sql.removeSteps.run(end.run);
		seal(end, append.sealed, last.at);
		return { ...end, lastSeq: last.seq, status: last.status };
	}

	function keep(runId: RunId, end: LogEnd): void {
		if (!isTerminal(end.status)) ends.set(runId, end);
	}

	/** Writes the run's state. An unchanged status is left out, because writing it would rewrite two indexes. */
	function writeState({ run, threadId, lastSeq, status: earlier }: LogEnd, status: RunStatus, summary: string): void {
		if (lastSeq === 0) sql.insertState.run(run, threadId, status, summary);
		else if (earlier === status) sql.updateSummary.run(summary, run);
		else sql.updateState.run(status, summary, run);
	}

	const insert = db.transaction(insertRun);
	const append = db.transaction((batch: readonly RunAppend[]) => batch.map(appendOne));
	return {
		insert: (record, first) => {
			const end = insert.immediate(record, first);
			if (end !== undefined) {
				keep(record.runId, end);
				return { inserted: true };
			}
			const existing = decodeRow<RunRecord>(sql.findTurn.get(record.threadId, record.turnId));
			if (existing === undefined) throw invalid(first, "its turn was refused as a repeat, but has no run");
			return { inserted: false, existing };
		},
		append: (batch) => {
			for (const [runId, end] of append.immediate(batch)) keep(runId, end);
		},
	};
}

function prepareStatements(db: Database) {
	return {
		findTurn: db.prepare<[string, string], RecordRow>("SELECT record AS body FROM run WHERE thread_id = ? AND turn_id = ?"),
		insertRun: db.prepare<[string, string, string, string]>(
			"INSERT INTO run (run_id, thread_id, turn_id, record) VALUES (?, ?, ?, ?) ON CONFLICT (thread_id, turn_id) DO NOTHING",
		),
		insertState: db.prepare<[number, string, string, string]>(
			"INSERT INTO run_state (run, thread_id, status, summary) VALUES (?, ?, ?, ?)",
		),
		updateState: db.prepare<[string, string, number]>("UPDATE run_state SET status = ?, summary = ? WHERE run = ?"),
		updateSummary: db.prepare<[string, number]>("UPDATE run_state SET summary = ? WHERE run = ?"),
		insertEvent: db.prepare<[number, number, string, string, string]>(
			"INSERT INTO event (run, seq, at, status, body) VALUES (?, ?, ?, ?, ?)",
		),
		insertReceipt: db.prepare<[number, number, number, string, string, string, string | null, string | null]>(
			`INSERT INTO receipt (id, run, n, seq, at, type, origin, tool, call) VALUES (${nextReceipt}, ?, ?, ?, ?, ?, ?, ?, ?)`,
		),
		insertStep: db.prepare<[number, number, string, string, string]>(
			"INSERT INTO run_step (run, n, kind, at, body) VALUES (?, ?, ?, ?, ?)",
		),
		removeSteps: db.prepare<[number]>("DELETE FROM run_step WHERE run = ?"),
		// Replaces the earlier change, because readers only get the current state.
		runChanged: db.prepare<[number]>("INSERT OR REPLACE INTO change (run) VALUES (?)"),
		logEnd: db.prepare<[RunId], LogEnd>(
			`SELECT run.id AS run, run.thread_id AS threadId, event.seq AS lastSeq, event.status AS status
			FROM run JOIN event ON event.run = run.id WHERE run.run_id = ? ORDER BY event.seq DESC LIMIT 1`,
		),
	};
}

// Triggers enforce most of these rules too. The checks here name what is wrong, and fail before any event of the append is written.
function checkFollows(end: LogEnd, append: RunAppend): LoggedEvent {
	let { lastSeq, status } = end;
	for (const event of append.events) {
		if (isTerminal(status)) throw new StoreError("RUN_SEALED", `The run ${append.runId} has ended, so its log accepts no more events.`);
		if (event.seq !== lastSeq + 1) {
			throw new StoreError("EVENT_GAP", `Run ${append.runId} expects seq ${lastSeq + 1} next, not ${event.seq}.`);
		}
		({ seq: lastSeq, status } = event);
	}
	const last = append.events.at(-1);
	if (last === undefined) throw invalid(append, "there are no events to append");
	if (isTerminal(status) !== (append.sealed !== undefined))
		throw invalid(append, "events that end the run must be sealed, and others must not be");
	return last;
}

function invalid(append: RunAppend, why: string): StoreError {
	return new StoreError("APPEND_INVALID", `Can't append events to the run ${append.runId}: ${why}.`);
}
