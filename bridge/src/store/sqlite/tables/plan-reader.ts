import type { Occurrence, PlanId, PlanStatus, Sha256, Timestamp } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { FedPlanEvent, Payload, PlanEvent, PlanState } from "../../../ports/plans/plan-event.ts";
import type { PlanStore } from "../../../ports/plans/plan-store.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { decodeRecord, decodeRow, type RecordRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

type PlanReader = Pick<
	PlanStore,
	| "find"
	| "findByRequest"
	| "findOccurrenceByRequest"
	| "findOccurrence"
	| "countPlans"
	| "list"
	| "failedOccurrences"
	| "occurrences"
	| "readEvents"
	| "readFeed"
	| "lastFeedSeq"
	| "payload"
>;

interface FedRow extends RecordRow {
	readonly feedSeq: number;
	readonly planId: PlanId;
	readonly seq: number;
	readonly at: Timestamp;
	/** A CHECK constraint of the table allows only these values. */
	readonly status: PlanStatus;
}

/** Reads plans, their occurrences and their log. */
export function createPlanReader(db: Database): PlanReader {
	const sql = prepareStatements(db);
	const plans = createKeysetList(db, {
		kind: "plans",
		table: "plan_state",
		key: "plan",
		body: "body",
		always: "TRUE",
		// A deleted plan is listed while it needs the user, for example because the outcome of a message is unknown.
		filters: { status: "status = @status", shown: "(status <> 'deleted' OR needs_review > 0)", needsReview: "needs_review > 0" },
	});
	const occurrences = createKeysetList(db, {
		kind: "occurrences",
		table: "occurrence",
		key: "id",
		body: "body",
		always: "TRUE",
		filters: { planId: "plan = (SELECT id FROM plan WHERE plan_id = @planId)" },
	});
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		find: (planId) => reply(() => decodeRow<PlanState>(sql.state.get(planId))),
		findByRequest: (requestId) => reply(() => sql.byRequest.get(requestId)),
		findOccurrenceByRequest: (planId, requestId) => reply(() => decodeRow<Occurrence>(sql.asked.get(planId, requestId))),
		findOccurrence: (occurrenceId) => reply(() => decodeRow<Occurrence>(sql.occurrence.get(occurrenceId))),
		countPlans: () => reply(() => sql.count.get() ?? 0),
		list: ({ status, needsReview, limit, cursor }) =>
			reply(() => {
				const filter = { status, shown: status === undefined ? "yes" : undefined, needsReview: needsReview === true ? "yes" : undefined };
				const { bodies, ...next } = plans({ filter, limit, cursor });
				return { items: bodies.map((body) => decodeRecord<PlanState>(body)), ...next };
			}),
		failedOccurrences: (limit, after) => reply(() => sql.failed.all(after ?? "", limit).map(({ body }) => decodeRecord<Occurrence>(body))),
		occurrences: (planId, limit, cursor) =>
			reply(() => {
				const { bodies, ...next } = occurrences({ filter: { planId }, limit, cursor });
				return { items: bodies.map((body) => decodeRecord<Occurrence>(body)), ...next };
			}),
		readEvents: ({ planId, afterSeq, limit }) => reply(() => sql.events.all(planId, afterSeq, limit).map(toEvent)),
		readFeed: ({ planId, afterFeedSeq, limit }) =>
			reply(() => (planId === undefined ? sql.feed.all(afterFeedSeq, limit) : sql.feedOf.all(planId, afterFeedSeq, limit)).map(toEvent)),
		lastFeedSeq: () => reply(() => sql.lastFeedSeq.get() ?? 0),
		payload: (sha256) => reply(() => sql.payload.get(sha256)),
	};
}

function toEvent({ body, ...row }: FedRow): FedPlanEvent {
	return { ...row, event: decodeRecord<PlanEvent>(body) };
}

function prepareStatements(db: Database) {
	const events = `SELECT feed_seq AS feedSeq, plan_id AS planId, seq, at, status, body
		FROM plan_event JOIN plan ON plan.id = plan_event.plan`;
	const ofPlan = "plan_event.plan = (SELECT id FROM plan WHERE plan_id = ?)";
	return {
		state: db.prepare<[string], RecordRow>("SELECT body FROM plan_state WHERE plan = (SELECT id FROM plan WHERE plan_id = ?)"),
		byRequest: db.prepare<[string], { planId: PlanId; inputHash: Sha256 }>(
			"SELECT plan_id AS planId, input_hash AS inputHash FROM plan WHERE request_id = ?",
		),
		asked: db.prepare<[string, string], RecordRow>(
			"SELECT body FROM occurrence WHERE plan = (SELECT id FROM plan WHERE plan_id = ?) AND request_id = ?",
		),
		occurrence: db.prepare<[string], RecordRow>("SELECT body FROM occurrence WHERE occurrence_id = ?"),
		// Reads every occurrence's status, because no index contains the status. This is called only after a restore.
		failed: db.prepare<[string, number], RecordRow>(
			`SELECT occurrence.body AS body FROM occurrence JOIN plan_state ON plan_state.plan = occurrence.plan
			WHERE occurrence.status IN ('failed', 'cancelled') AND plan_state.status <> 'deleted'
			AND occurrence.id > coalesce((SELECT id FROM occurrence WHERE occurrence_id = ?), 0) ORDER BY occurrence.id LIMIT ?`,
		),
		count: db.prepare<[], number>("SELECT count(*) FROM plan_state WHERE status <> 'deleted'").pluck(),
		events: db.prepare<[string, number, number], FedRow>(`${events} WHERE ${ofPlan} AND seq > ? ORDER BY seq LIMIT ?`),
		feed: db.prepare<[number, number], FedRow>(`${events} WHERE feed_seq > ? ORDER BY feed_seq LIMIT ?`),
		feedOf: db.prepare<[string, number, number], FedRow>(`${events} WHERE ${ofPlan} AND feed_seq > ? ORDER BY feed_seq LIMIT ?`),
		lastFeedSeq: db.prepare<[], number | null>("SELECT max(feed_seq) FROM plan_event").pluck(),
		payload: db.prepare<[string], Payload>(
			"SELECT sha256, channel, media_type AS mediaType, bytes, envelope FROM payload WHERE sha256 = ?",
		),
	};
}
