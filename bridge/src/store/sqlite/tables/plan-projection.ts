import { createHash } from "node:crypto";
import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { AttemptNote, Claim, PlacedPlanEvent } from "../../../ports/plans/plan-event.ts";
import { StoreError } from "../../store-error.ts";

/** The columns of an action's row, without its key. */
interface ActionValues {
	readonly actionId: string;
	readonly occurrence: number;
	readonly channel: string;
	readonly lane: string;
	readonly status: string;
	readonly stage: string | null;
	readonly ready: number;
	readonly notBefore: string;
	readonly epoch: number | null;
	readonly leaseUntil: string | null;
	readonly providerMessageId: string | null;
	readonly contentHash: string | null;
}

/**
 * Writes an event's views: its occurrence, the occurrence's messages, and the attempt at one of them. Runs inside the event's transaction.
 * `isPassing`: another event of the same occurrence follows in the same append, so if this one has an attempt, only that is written.
 *
 * @throws StoreError APPEND_INVALID for an attempt that was never claimed, or an occurrence of another plan
 */
export function createPlanProjection(db: Database): (plan: number, placed: PlacedPlanEvent, isPassing: boolean) => void {
	const sql = prepareStatements(db);

	function noteAttempt({ actionId, n, epoch, state }: AttemptNote, at: string): void {
		const isNoted =
			state === "claimed"
				? sql.claimed.run({ actionId, n, epoch: epoch ?? null, at }).changes
				: state === "handed_over"
					? sql.attemptHandedOver.run({ actionId, n, at }).changes && sql.actionHandedOver.run({ actionId, at }).changes
					: sql.attemptOver.run({ actionId, n, outcome: state }).changes;
		if (isNoted === 0) throw new StoreError("APPEND_INVALID", `The message ${actionId} has no attempt ${n}.`);
	}

	return (plan, { at, event: { body, claims = {}, attempt, requestId } }, isPassing) => {
		if (!("occurrence" in body)) return;
		if (isPassing && attempt !== undefined) {
			noteAttempt(attempt, at);
			return;
		}
		const { occurrence } = body;
		const row = sql.occurrence.get({
			plan,
			occurrenceId: occurrence.occurrenceId,
			kind: occurrence.kind,
			dueAt: occurrence.dueAt,
			requestId: requestId ?? null,
			status: occurrence.status,
			body: JSON.stringify(occurrence),
		});
		if (row === undefined) throw new StoreError("APPEND_INVALID", `The occurrence ${occurrence.occurrenceId} belongs to another plan.`);
		for (const action of occurrence.delivery) sql.action.run(actionValues(row.id, occurrence, action, claims[action.actionId]));
		if (attempt !== undefined) noteAttempt(attempt, at);
	};
}

function actionValues(row: number, occurrence: Occurrence, action: DeliveryAction, claim: Claim | undefined): ActionValues {
	const { actionId, channel, recipient = "", status, stage = null, notBefore = "", providerMessageId = null } = action;
	const isHeld = status === "sending" && stage !== "accepted";
	return {
		actionId,
		occurrence: row,
		channel,
		lane: `${channel}/${recipient}`,
		status,
		stage,
		ready: status === "pending" && occurrence.status === "delivering" ? 1 : 0,
		notBefore,
		epoch: claim?.epoch ?? null,
		leaseUntil: isHeld ? (claim?.until ?? null) : null,
		providerMessageId,
		contentHash: contentHash(occurrence, action),
	};
}

/** The hash of the text that is sent. */
function contentHash({ deliverable }: Occurrence, { content }: DeliveryAction): string | null {
	return content === undefined ? (deliverable?.sha256 ?? null) : createHash("sha256").update(content).digest("hex");
}

// A row is written only if it changes, because an occurrence has up to twenty messages, and most events concern one of them.
const ACTION = `INSERT INTO delivery_action
	(action_id, occurrence, channel, lane, status, stage, ready, not_before, epoch, lease_until, provider_message_id, content_hash)
VALUES (@actionId, @occurrence, @channel, @lane, @status, @stage, @ready, @notBefore, @epoch, @leaseUntil, @providerMessageId, @contentHash)
ON CONFLICT (action_id) DO UPDATE SET
	status = excluded.status, stage = excluded.stage, ready = excluded.ready, not_before = excluded.not_before, epoch = excluded.epoch,
	lease_until = excluded.lease_until, provider_message_id = excluded.provider_message_id, content_hash = excluded.content_hash
WHERE (status, stage, ready, not_before, epoch, lease_until, provider_message_id, content_hash) IS NOT
	(excluded.status, excluded.stage, excluded.ready, excluded.not_before, excluded.epoch, excluded.lease_until,
	excluded.provider_message_id, excluded.content_hash)`;

function prepareStatements(db: Database) {
	const attempt = "action = (SELECT id FROM delivery_action WHERE action_id = @actionId) AND n = @n";
	return {
		occurrence: db.prepare<[Record<string, string | number | null>], { id: number }>(
			`INSERT INTO occurrence (occurrence_id, plan, kind, due_at, request_id, status, body)
			VALUES (@occurrenceId, @plan, @kind, @dueAt, @requestId, @status, @body)
			ON CONFLICT (occurrence_id) DO UPDATE SET status = excluded.status, body = excluded.body WHERE plan = excluded.plan
			RETURNING id`,
		),
		action: db.prepare<[ActionValues]>(ACTION),
		claimed: db.prepare<[{ actionId: string; n: number; epoch: number | null; at: string }]>(
			`INSERT INTO delivery_attempt (action, n, epoch, claimed_at)
			SELECT id, @n, @epoch, @at FROM delivery_action WHERE action_id = @actionId`,
		),
		attemptHandedOver: db.prepare<[{ actionId: string; n: number; at: string }]>(
			`UPDATE delivery_attempt SET handed_over_at = @at WHERE ${attempt}`,
		),
		actionHandedOver: db.prepare<[{ actionId: string; at: string }]>(
			"UPDATE delivery_action SET handed_over_at = @at WHERE action_id = @actionId",
		),
		attemptOver: db.prepare<[{ actionId: string; n: number; outcome: string }]>(
			`UPDATE delivery_attempt SET outcome = @outcome WHERE ${attempt}`,
		),
	};
}
