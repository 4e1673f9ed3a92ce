import type { Receipt, RunId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ReceiptedRun, ReceiptStore } from "../../../ports/receipt-store.ts";
import type { RunEvent } from "../../../ports/run-event.ts";
import { StoreError } from "../../store-error.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { SHOWN, shownRun } from "../rows/shown.ts";
import { decodeRecord, type RecordRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

interface RunRow {
	readonly id: number;
	readonly runId: RunId;
	readonly isOver: number;
	readonly isDeleting: number;
}

/** Reads receipts from the log by their index. */
export function createReceiptStore(db: Database): ReceiptStore {
	const bodies = "receipt JOIN event ON event.run = receipt.run AND event.seq = receipt.seq";
	const list = createKeysetList(db, {
		kind: "receipts",
		table: `${bodies} JOIN run_state ON run_state.run = receipt.run`,
		key: "receipt.id",
		body: "event.body",
		always: SHOWN,
		filters: {
			runId: `receipt.run = ${shownRun("@runId")}`,
			threadId: "thread_id = @threadId",
			toolId: "receipt.tool = @toolId",
			type: "receipt.type = @type",
			origin: "receipt.origin = @origin",
			since: "receipt.at >= @since",
			until: "receipt.at < @until",
		},
	});
	const sql = prepareStatements(db, bodies);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		listReceipts: ({ limit, cursor, ...filter }) =>
			reply(() => {
				const { bodies, ...next } = list({ filter, limit, cursor });
				return { items: bodies.map(receiptOf), ...next };
			}),
		findReceipt: (runId, n) => reply(() => optional(sql.find.get(runId, n))),
		ofCall: (runId, toolCallId) => reply(() => sql.ofCall.all(runId, toolCallId).map(({ body }) => receiptOf(body))),
		textsOf: (runId, after, limit) =>
			reply(() => sql.texts.all(runId, after, limit).map(({ n, body }) => (body === null ? { n } : { n, text: body }))),
		lastOf: (runId) => reply(() => optional(sql.last.get(runId))),
		runsAfter: (after, limit) =>
			reply(() => {
				const rows = sql.runs.all(after, limit);
				const last = rows.at(-1);
				return { runs: rows.map(toRun), ...(last === undefined || rows.length < limit ? {} : { next: last.id }) };
			}),
		findRun: (runId) =>
			reply(() => {
				const row = sql.run.get(runId);
				return row === undefined ? undefined : toRun(row);
			}),
	};
}

function prepareStatements(db: Database, bodies: string) {
	const run = `SELECT run_state.run AS id, run.run_id AS runId,
		run_state.status NOT IN ('queued', 'running') AS isOver, NOT (run_state.${SHOWN}) AS isDeleting
		FROM run_state JOIN run ON run.id = run_state.run`;
	return {
		find: db.prepare<[string, number], RecordRow>(`SELECT body FROM ${bodies} WHERE receipt.run = ${shownRun("?")} AND receipt.n = ?`),
		ofCall: db.prepare<[string, string], RecordRow>(
			`SELECT body FROM ${bodies} WHERE receipt.run = ${shownRun("?")} AND receipt.call = ? ORDER BY receipt.n`,
		),
		texts: db.prepare<[string, number, number], { n: number; body: string | null }>(
			`SELECT receipt.n AS n, event.body AS body FROM receipt LEFT JOIN event ON event.run = receipt.run AND event.seq = receipt.seq
			WHERE receipt.run = ${shownRun("?")} AND receipt.n > ? ORDER BY receipt.n LIMIT ?`,
		),
		last: db.prepare<[string], RecordRow>(
			`SELECT body FROM ${bodies} WHERE receipt.run = (SELECT id FROM run WHERE run_id = ?) ORDER BY receipt.n DESC LIMIT 1`,
		),
		runs: db.prepare<[number, number], RunRow>(
			`${run} WHERE run_state.run IN (SELECT DISTINCT run FROM receipt WHERE run > ? ORDER BY run LIMIT ?) ORDER BY run_state.run`,
		),
		run: db.prepare<[string], RunRow>(`${run} WHERE run.run_id = ?`),
	};
}

function toRun({ runId, isOver, isDeleting }: RunRow): ReceiptedRun {
	return { runId, isOver: isOver === 1, isDeleting: isDeleting === 1 };
}

function optional(row: RecordRow | undefined): Receipt | undefined {
	return row === undefined ? undefined : receiptOf(row.body);
}

function receiptOf(body: string): Receipt {
	const event = decodeRecord<RunEvent>(body);
	if (event.type !== "receipt") throw new StoreError("STORE_CORRUPT", "A receipt's row names an event that is not one.");
	return event.receipt;
}
