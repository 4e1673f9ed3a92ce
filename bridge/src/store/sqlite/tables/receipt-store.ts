import type { ChainOwner, Receipt, RunId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { RunEvent } from "../../../ports/runs/run-event.ts";
import type { ReceiptedRun, ReceiptStore } from "../../../ports/tools/receipt-store.ts";
import { StoreError } from "../../store-error.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { SHOWN, shownRun } from "../rows/shown.ts";
import { decodeRecord, type RecordRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";
import { createPlanReceipts, PLAN_RECEIPTS, planReceiptOf } from "./plan-receipts.ts";

interface RunRow {
	readonly id: number;
	readonly runId: RunId;
	readonly isOver: number;
	readonly isDeleting: number;
}

/** Finds receipts of runs and plans in their indexes, and reads them from the logs. */
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
	const ofPlans = createKeysetList(db, {
		kind: "plan receipts",
		table: `${PLAN_RECEIPTS} JOIN plan ON plan.id = plan_receipt.plan`,
		key: "plan_receipt.id",
		body: "plan_event.body",
		always: "TRUE",
		filters: {
			planId: "plan_receipt.plan = (SELECT id FROM plan WHERE plan_id = @planId)",
			threadId: "thread_id = @threadId",
			type: "plan_receipt.type = @type",
			since: "plan_receipt.at >= @since",
			until: "plan_receipt.at < @until",
		},
	});
	const ofAll = createKeysetList(db, {
		kind: "all receipts",
		table: `(SELECT receipt.id AS id, event.body AS body, thread_id, type, origin, receipt.at AS at
			FROM ${bodies} JOIN run_state ON run_state.run = receipt.run WHERE ${SHOWN}
			UNION ALL
			SELECT plan_receipt.id AS id, plan_event.body AS body, thread_id, type, 'executed' AS origin, plan_receipt.at AS at
			FROM ${PLAN_RECEIPTS} JOIN plan ON plan.id = plan_receipt.plan)`,
		key: "id",
		body: "body",
		always: "TRUE",
		filters: {
			threadId: "thread_id = @threadId",
			type: "type = @type",
			origin: "origin = @origin",
			since: "at >= @since",
			until: "at < @until",
		},
	});
	const plans = createPlanReceipts(db);
	const sql = prepareStatements(db, bodies);
	const textsOf = ({ runId, planId }: ChainOwner, after: number, limit: number) =>
		planId === undefined ? sql.texts.all(runId, after, limit) : plans.texts(planId, after, limit);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		ofAction: plans.ofAction,
		plansAfter: plans.plansAfter,
		hasPlan: plans.hasPlan,
		listReceipts: ({ limit, cursor, ...filter }) =>
			reply(() => {
				const { planId, runId, toolId, origin } = filter;
				// Receipts about messages belong to plans, never to a run, a tool or an agent's report.
				const isOfRuns = runId !== undefined || toolId !== undefined || origin === "reported";
				if (planId !== undefined && isOfRuns) return { items: [] };
				const listed = planId !== undefined ? ofPlans : isOfRuns ? list : ofAll;
				const { bodies, ...next } = listed({ filter, limit, cursor });
				return { items: bodies.map(receiptOf), ...next };
			}),
		findReceipt: ({ runId, planId }, n) => reply(() => (planId === undefined ? optional(sql.find.get(runId, n)) : plans.find(planId, n))),
		ofCall: (runId, toolCallId) => reply(() => sql.ofCall.all(runId, toolCallId).map(({ body }) => receiptOf(body))),
		textsOf: (owner, after, limit) =>
			reply(() => textsOf(owner, after, limit).map(({ n, body }) => (body === null ? { n } : { n, text: body }))),
		countReceipts: ({ runId, planId }) =>
			reply(() => {
				if (planId !== undefined) return plans.count(planId);
				if (runId !== undefined) return sql.count.get(runId)?.count ?? 0;
				return (sql.countAll.get()?.count ?? 0) + plans.count(undefined);
			}),
		lastOf: ({ runId, planId }) => reply(() => (planId === undefined ? optional(sql.last.get(runId)) : plans.last(planId))),
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
		count: db.prepare<[string], { count: number }>(`SELECT count(*) AS count FROM receipt WHERE run = ${shownRun("?")}`),
		countAll: db.prepare<[], { count: number }>("SELECT count(*) AS count FROM receipt"),
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
	const event = decodeRecord<RunEvent | { readonly body: unknown }>(body);
	if ("body" in event) return planReceiptOf(body);
	if (event.type !== "receipt") throw new StoreError("STORE_CORRUPT", "A receipt's row refers to an event that is not a receipt.");
	return event.receipt;
}
