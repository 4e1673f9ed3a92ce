import type { ActionId, ChannelId, DeliveryStage, DeliveryStatus, OccurrenceId, PlanId, Timestamp } from "@xworkmate/contracts";
import { omitUndefined } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ActionRow, PlanStore } from "../../../ports/plans/plan-store.ts";
import { answer } from "../rows/translate-error.ts";

type PlanQueue = Pick<
	PlanStore,
	"due" | "nextDueAt" | "openPlans" | "claimable" | "claimableOf" | "nextActionAt" | "abandoned" | "leftSince" | "sameSince"
>;

interface QueuedRow {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	readonly channel: ChannelId;
	readonly lane: string;
	readonly status: DeliveryStatus;
	readonly stage: DeliveryStage | null;
	readonly notBefore: Timestamp | "";
	readonly leaseUntil: Timestamp | null;
	readonly epoch: number | null;
}

/** The time of a message that may be sent at once. */
const ALWAYS: Timestamp = "1970-01-01T00:00:00.000Z";

/**
 * Finds what is due next, and what is claimed. A lane is the messages of one channel to one recipient, which are sent one at a time.
 * Queries find their rows by an index, so that none reads all messages.
 */
export function createPlanQueue(db: Database): PlanQueue {
	const sql = prepareStatements(db);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		due: (at, limit) => reply(() => sql.due.all(at, limit)),
		nextDueAt: () => reply(() => sql.nextDueAt.get()),
		openPlans: (limit, after) => reply(() => sql.openPlans.all(after ?? "", limit)),
		claimable: (at, limit) => reply(() => sql.claimable.all({ at, limit }).map(toRow)),
		claimableOf: (lane, at, limit) => reply(() => sql.claimableOf.all({ lane, at, limit }).map(toRow)),
		nextActionAt: () =>
			reply(() => {
				const times = [sql.nextReady.get(), sql.nextLease.get()].filter((at) => at !== undefined && at !== null);
				return times.map((at) => (at === "" ? ALWAYS : at)).sort()[0];
			}),
		abandoned: (epoch, at) => reply(() => sql.abandoned.all(epoch, at).map(toRow)),
		leftSince: (channel, since) => reply(() => sql.left.get({ channel, since }) ?? { left: 0, claimed: 0 }),
		sameSince: (lane, contentHash, planId, since) =>
			reply(() => {
				const isSent = sql.same.get(lane, contentHash, since, planId);
				return isSent === undefined ? undefined : isSent === 1 ? "sent" : "unknown";
			}),
	};
}

function toRow({ stage, notBefore, leaseUntil, epoch, ...row }: QueuedRow): ActionRow {
	return {
		...row,
		...omitUndefined({
			stage: stage ?? undefined,
			notBefore: notBefore === "" ? undefined : notBefore,
			leaseUntil: leaseUntil ?? undefined,
			epoch: epoch ?? undefined,
		}),
	};
}

const ROW = `SELECT plan_id AS planId, occurrence_id AS occurrenceId, action_id AS actionId, channel, action.lane AS lane, action.status AS status, stage,
	not_before AS notBefore, lease_until AS leaseUntil, epoch`;
const OF_PLAN = "JOIN occurrence ON occurrence.id = action.occurrence JOIN plan ON plan.id = occurrence.plan";

/** The lanes that have something to send, except those in which a message is claimed. Each is found from the one before it. */
const FREE_LANES = `WITH RECURSIVE filled (lane) AS (
	SELECT (SELECT lane FROM delivery_action WHERE ready = 1 ORDER BY lane LIMIT 1)
	UNION ALL
	SELECT (SELECT lane FROM delivery_action WHERE ready = 1 AND lane > filled.lane ORDER BY lane LIMIT 1) FROM filled
	WHERE filled.lane IS NOT NULL
), free (lane) AS (
	SELECT lane FROM filled WHERE lane IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM delivery_action AS held WHERE held.lane = filled.lane AND held.lease_until IS NOT NULL)
)`;

function prepareStatements(db: Database) {
	return {
		due: db
			.prepare<[string, number], PlanId>(
				`SELECT plan_id FROM plan_state JOIN plan ON plan.id = plan_state.plan
				WHERE next_due_at <= ? ORDER BY next_due_at LIMIT ?`,
			)
			.pluck(),
		nextDueAt: db
			.prepare<[], Timestamp>("SELECT next_due_at FROM plan_state WHERE next_due_at IS NOT NULL ORDER BY next_due_at LIMIT 1")
			.pluck(),
		openPlans: db
			.prepare<[string, number], PlanId>(
				`SELECT plan_id FROM plan_state JOIN plan ON plan.id = plan_state.plan
				WHERE has_open = 1 AND plan_state.plan > coalesce((SELECT id FROM plan WHERE plan_id = ?), 0) ORDER BY plan_state.plan LIMIT ?`,
			)
			.pluck(),
		claimable: db.prepare<[{ at: string; limit: number }], QueuedRow>(
			`${FREE_LANES} ${ROW} FROM free JOIN delivery_action AS action ON action.id = (
				SELECT id FROM delivery_action AS one WHERE one.ready = 1 AND one.lane = free.lane AND one.not_before <= @at ORDER BY one.id LIMIT 1
			) ${OF_PLAN} LIMIT @limit`,
		),
		claimableOf: db.prepare<[{ lane: string; at: string; limit: number }], QueuedRow>(
			`${ROW} FROM delivery_action AS action ${OF_PLAN}
			WHERE ready = 1 AND action.lane = @lane AND not_before <= @at
			AND NOT EXISTS (SELECT 1 FROM delivery_action AS held WHERE held.lane = @lane AND held.lease_until IS NOT NULL)
			ORDER BY action.id LIMIT @limit`,
		),
		nextReady: db
			.prepare<[], Timestamp | "" | null>(
				`${FREE_LANES} SELECT min((
					SELECT not_before FROM delivery_action AS one WHERE one.ready = 1 AND one.lane = free.lane ORDER BY one.not_before LIMIT 1
				)) FROM free`,
			)
			.pluck(),
		nextLease: db
			.prepare<[], Timestamp>("SELECT lease_until FROM delivery_action WHERE lease_until IS NOT NULL ORDER BY lease_until LIMIT 1")
			.pluck(),
		abandoned: db.prepare<[number, string], QueuedRow>(
			`${ROW} FROM delivery_action AS action ${OF_PLAN}
			WHERE lease_until IS NOT NULL AND (epoch <> ? OR lease_until <= ?) ORDER BY lease_until`,
		),
		// Counted in one query, so that a message handed over during the count is counted once. Refused attempts are left out, because they
		// sent nothing.
		left: db.prepare<[{ channel: string; since: string }], { readonly left: number; readonly claimed: number }>(
			`SELECT (
				SELECT count(*) FROM delivery_action AS one WHERE channel = @channel AND handed_over_at >= @since AND lease_until IS NULL
				AND EXISTS (
					SELECT 1 FROM delivery_attempt AS attempt
					WHERE attempt.action = one.id AND attempt.handed_over_at >= @since AND outcome IS NOT 'refused'
				)
			) AS left, (SELECT count(*) FROM delivery_action WHERE lease_until IS NOT NULL AND channel = @channel) AS claimed`,
		),
		// Leaves out refused messages, because they have not arrived.
		same: db
			.prepare<[string, string, string, string], 0 | 1>(
				`SELECT action.status = 'completed' AS sent FROM delivery_action AS action ${OF_PLAN}
				WHERE lane = ? AND content_hash = ? AND handed_over_at >= ? AND plan_id <> ?
				AND action.status IN ('sending', 'completed', 'unknown') ORDER BY sent DESC LIMIT 1`,
			)
			.pluck(),
	};
}
