import type { OccurrenceId, Plan, PlanId, Receipt } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { FedPlanEvent, Payload, PlacedPlanEvent } from "../../../ports/plans/plan-event.ts";
import type { AppendResult, PlanAppend } from "../../../ports/plans/plan-store.ts";
import { StoreError } from "../../store-error.ts";
import { nextReceipt } from "../rows/next-receipt.ts";
import { createPlanProjection } from "./plan-projection.ts";

interface PlanEnd {
	readonly id: number;
	readonly lastSeq: number;
}

/** Another append was committed first. Thrown before this append has written anything. */
class Behind extends Error {
	override readonly name = "Behind";
}

export interface PlanWriter {
	/** Writes all appends or none. Returns `behind` if any append is behind. */
	all(batch: readonly PlanAppend[]): AppendResult;
	/** Writes every append that is not behind; if an error is thrown, nothing is written. */
	each(batch: readonly PlanAppend[]): readonly AppendResult[];
}

/** Writes appends to plans' logs. Each call is one transaction, which is durable when the call returns. */
export function createPlanWriter(db: Database): PlanWriter {
	const sql = prepareStatements(db);
	const project = createPlanProjection(db);

	/** @throws Behind, or StoreError APPEND_INVALID */
	function endOf({ planId, events: [first], made }: PlanAppend): PlanEnd {
		if (first === undefined) throw invalid(planId, "there are no events to append");
		const end = sql.end.get(planId);
		if (made !== undefined) {
			const { body } = first.event;
			if (body.kind !== "task:created" || first.seq !== 1) throw invalid(planId, "the first event must be the one that creates the plan");
			const row = end === undefined ? sql.make.get(planId, made.requestId, made.inputHash, body.plan.threadId) : undefined;
			if (row === undefined) throw new Behind();
			return { id: row.id, lastSeq: 0 };
		}
		if (end === undefined) throw invalid(planId, "the plan was never created");
		if (first.seq <= end.lastSeq) throw new Behind();
		return end;
	}

	function appendOne(append: PlanAppend): readonly FedPlanEvent[] {
		const { planId, events, state, view, epoch } = append;
		const { id, lastSeq } = endOf(append);
		const fed: FedPlanEvent[] = [];
		for (const [index, placed] of events.entries()) {
			const { seq, at, status, event } = placed;
			const due = lastSeq + index + 1;
			if (seq !== due) throw new StoreError("EVENT_GAP", `Plan ${planId} expects seq ${due} next, not ${seq}.`);
			const { lastInsertRowid } = sql.event.run(id, seq, at, status, epoch, JSON.stringify(event));
			project(id, placed, isPassing(events, index));
			if (event.body.kind === "receipt") indexReceipt(id, seq, event.body.receipt);
			fed.push({ ...placed, planId, feedSeq: Number(lastInsertRowid) });
		}
		if (state.lastSeq !== lastSeq + events.length) throw invalid(planId, "the new state does not match the events");
		sql.state.run({ plan: id, ...stateValues(view), hasOpen: state.open.length > 0 ? 1 : 0, body: JSON.stringify(state) });
		for (const payload of append.payloads ?? []) keepPayload(planId, payload);
		for (const { read, ...message } of append.inbox ?? []) sql.inbox.run(message.messageId, read ? 1 : 0, JSON.stringify(message));
		return fed;
	}

	function indexReceipt(plan: number, seq: number, { n, at, type, detail }: Receipt): void {
		const action = detail?.["actionId"];
		sql.receipt.run(plan, n, seq, at, type, typeof action === "string" ? action : null);
	}

	function keepPayload(planId: PlanId, { sha256, channel, mediaType, envelope, bytes }: Payload): void {
		const values = { sha256, channel, mediaType, envelope, bytes: Buffer.from(bytes) };
		if (sql.payload.run(values).changes === 1 || sql.samePayload.get(values) !== undefined) return;
		// If the hash were accepted, this message would be sent with the other message's recipient and content.
		throw invalid(planId, `a message has the hash ${sha256} of a different message`);
	}

	/** Writes an append. If the append is behind, nothing is written. */
	function appendIfNext(append: PlanAppend): AppendResult {
		return orBehind(() => appendOne(append));
	}

	const all = db.transaction((batch: readonly PlanAppend[]) => batch.flatMap(appendOne));
	const each = db.transaction((batch: readonly PlanAppend[]) => batch.map(appendIfNext));
	return {
		all: (batch) => orBehind(() => all.immediate(batch)),
		each: (batch) => each.immediate(batch),
	};
}

function orBehind(append: () => readonly FedPlanEvent[]): AppendResult {
	try {
		return { kind: "appended", events: append() };
	} catch (error) {
		if (error instanceof Behind) return { kind: "behind" };
		throw error;
	}
}

/** Whether another event of the same occurrence follows. */
function isPassing(events: readonly PlacedPlanEvent[], index: number): boolean {
	const id = occurrenceOf(events[index]);
	return id !== undefined && events.some((placed, at) => at > index && occurrenceOf(placed) === id);
}

function occurrenceOf(placed: PlacedPlanEvent | undefined): OccurrenceId | undefined {
	const body = placed?.event.body;
	return body !== undefined && "occurrence" in body ? body.occurrence.occurrenceId : undefined;
}

function stateValues({ status, nextDueAt, needsReview, revision, work, delivery }: Plan) {
	const parts = { work: JSON.stringify(work), delivery: JSON.stringify(delivery) };
	return { status, nextDueAt: nextDueAt ?? null, needsReview, revision, ...parts };
}

function prepareStatements(db: Database) {
	return {
		end: db.prepare<[string], PlanEnd>(
			"SELECT id, (SELECT coalesce(max(seq), 0) FROM plan_event WHERE plan = plan.id) AS lastSeq FROM plan WHERE plan_id = ?",
		),
		make: db.prepare<[string, string, string, string], { id: number }>(
			`INSERT INTO plan (plan_id, request_id, input_hash, thread_id) VALUES (?, ?, ?, ?)
			ON CONFLICT DO NOTHING RETURNING id`,
		),
		event: db.prepare<[number, number, string, string, number, string]>(
			"INSERT INTO plan_event (plan, seq, at, status, epoch, body) VALUES (?, ?, ?, ?, ?, ?)",
		),
		receipt: db.prepare<[number, number, number, string, string, string | null]>(
			`INSERT INTO plan_receipt (id, plan, n, seq, at, type, action) VALUES (${nextReceipt}, ?, ?, ?, ?, ?, ?)`,
		),
		state: db.prepare<[Record<string, string | number | null>]>(
			`INSERT INTO plan_state (plan, status, next_due_at, needs_review, has_open, revision, work, delivery, body)
			VALUES (@plan, @status, @nextDueAt, @needsReview, @hasOpen, @revision, @work, @delivery, @body)
			ON CONFLICT (plan) DO UPDATE SET status = excluded.status, next_due_at = excluded.next_due_at,
				needs_review = excluded.needs_review, has_open = excluded.has_open, revision = excluded.revision, work = excluded.work,
				delivery = excluded.delivery, body = excluded.body`,
		),
		payload: db.prepare<[Record<string, string | Buffer>]>(
			`INSERT INTO payload (sha256, channel, media_type, envelope, bytes) VALUES (@sha256, @channel, @mediaType, @envelope, @bytes)
			ON CONFLICT DO NOTHING`,
		),
		samePayload: db.prepare<[Record<string, string | Buffer>], { one: 1 }>(
			`SELECT 1 AS one FROM payload WHERE sha256 = @sha256 AND channel = @channel AND media_type = @mediaType AND envelope = @envelope`,
		),
		inbox: db.prepare<[string, number, string]>(
			"INSERT INTO dashboard_message (message_id, read, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
		),
	};
}

function invalid(planId: PlanId, why: string): StoreError {
	return new StoreError("APPEND_INVALID", `Can't append events to the plan ${planId}: ${why}.`);
}
