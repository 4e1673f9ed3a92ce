import type { PlanId, Receipt } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { PlanEvent } from "../../../ports/plans/plan-event.ts";
import type { ReceiptStore } from "../../../ports/tools/receipt-store.ts";
import { StoreError } from "../../store-error.ts";
import { decodeRecord, type RecordRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

interface PlanReceipts extends Pick<ReceiptStore, "ofAction" | "plansAfter" | "hasPlan"> {
	find(planId: PlanId, n: number): Receipt | undefined;
	last(planId: PlanId): Receipt | undefined;
	/** The number of receipts of one plan, or of all plans. */
	count(planId: PlanId | undefined): number;
	texts(planId: PlanId, after: number, limit: number): readonly { readonly n: number; readonly body: string | null }[];
}

/** SQL for the receipts of plans, joined with their events. */
export const PLAN_RECEIPTS = "plan_receipt JOIN plan_event ON plan_event.plan = plan_receipt.plan AND plan_event.seq = plan_receipt.seq";
const OF_PLAN = "plan_receipt.plan = (SELECT id FROM plan WHERE plan_id = ?)";

/** Finds receipts of what happened to plans' messages in their index, and reads them from the plans' logs. */
export function createPlanReceipts(db: Database): PlanReceipts {
	const of = `SELECT body FROM ${PLAN_RECEIPTS} WHERE ${OF_PLAN}`;
	const sql = {
		find: db.prepare<[string, number], RecordRow>(`${of} AND plan_receipt.n = ?`),
		last: db.prepare<[string], RecordRow>(`${of} ORDER BY plan_receipt.n DESC LIMIT 1`),
		ofAction: db.prepare<[string, string], RecordRow>(`${of} AND plan_receipt.action = ? ORDER BY plan_receipt.n`),
		texts: db.prepare<[string, number, number], { n: number; body: string | null }>(
			`SELECT plan_receipt.n AS n, body FROM ${PLAN_RECEIPTS.replace("JOIN", "LEFT JOIN")}
			WHERE ${OF_PLAN} AND plan_receipt.n > ? ORDER BY plan_receipt.n LIMIT ?`,
		),
		count: db.prepare<[string], { count: number }>(`SELECT count(*) AS count FROM plan_receipt WHERE ${OF_PLAN}`),
		countAll: db.prepare<[], { count: number }>("SELECT count(*) AS count FROM plan_receipt"),
		plans: db.prepare<[number, number], { id: number; planId: PlanId }>(
			`SELECT id, plan_id AS planId FROM plan
			WHERE id IN (SELECT DISTINCT plan FROM plan_receipt WHERE plan > ? ORDER BY plan LIMIT ?) ORDER BY id`,
		),
		has: db.prepare<[string], { id: number }>("SELECT id FROM plan WHERE plan_id = ?"),
	};
	const optional = (row: RecordRow | undefined) => (row === undefined ? undefined : planReceiptOf(row.body));
	return {
		find: (planId, n) => optional(sql.find.get(planId, n)),
		last: (planId) => optional(sql.last.get(planId)),
		count: (planId) => (planId === undefined ? sql.countAll.get() : sql.count.get(planId))?.count ?? 0,
		texts: (planId, after, limit) => sql.texts.all(planId, after, limit),
		ofAction: (planId, actionId) => answer(db.name, () => sql.ofAction.all(planId, actionId).map(({ body }) => planReceiptOf(body))),
		plansAfter: (after, limit) =>
			answer(db.name, () => {
				const rows = sql.plans.all(after, limit);
				const last = rows.at(-1);
				return { plans: rows.map(({ planId }) => planId), ...(last === undefined || rows.length < limit ? {} : { next: last.id }) };
			}),
		hasPlan: (planId) => answer(db.name, () => sql.has.get(planId) !== undefined),
	};
}

export function planReceiptOf(text: string): Receipt {
	const { body } = decodeRecord<PlanEvent>(text);
	if (body.kind !== "receipt") throw new StoreError("STORE_CORRUPT", "A receipt's row refers to an event that is not a receipt.");
	return body.receipt;
}
