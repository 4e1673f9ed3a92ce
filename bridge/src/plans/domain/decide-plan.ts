import { type NewPlan, omitUndefined, type Plan, type PlanChange, type PlanId, type ThreadId, type Timestamp } from "@xworkmate/contracts";
import type { PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";

/** Facts that are computed from the plan's schedule. */
export interface ScheduleView {
	readonly nextDueAt: Timestamp | undefined;
	readonly words: string;
}

/** Makes a plan. The first occurrence of an `immediate` plan is added by the caller. */
export function decideCreate(
	{ requestId: _request, ...terms }: NewPlan,
	ids: { readonly planId: PlanId; readonly threadId: ThreadId },
	schedule: ScheduleView,
	at: Timestamp,
): readonly PlanEvent[] {
	const plan: Plan = {
		...terms,
		...ids,
		createdAt: at,
		status: "pending",
		revision: 1,
		scheduleWords: schedule.words,
		needsReview: 0,
		lastSeq: 1,
		work: terms.work.map(({ description }) => ({ description, status: "pending" })),
		// Uses the action ids of the first occurrence, because these deliveries will belong to it.
		delivery: terms.delivery.map((delivery, index) => ({
			...delivery,
			actionId: previewId(ids.planId, index),
			status: "pending",
			attempts: 0,
		})),
		...omitUndefined({ nextDueAt: schedule.nextDueAt }),
	};
	return [{ body: { kind: "task:created", plan } }];
}

function previewId(planId: PlanId, index: number): Plan["delivery"][number]["actionId"] {
	return `${planId}-1-${index + 1}` as Plan["delivery"][number]["actionId"];
}

/** Changes what is not yet due; open occurrences stay as they are. `schedule`: computed from the changed terms. */
export function decideChange(state: PlanState, change: PlanChange, schedule: ScheduleView): readonly PlanEvent[] {
	const { plan } = state;
	if (plan.status === "deleted") return [];
	const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null && value !== undefined));
	const gone = new Set(Object.entries(change).flatMap(([key, value]) => (value === null ? [key] : [])));
	const kept = Object.fromEntries(Object.entries(plan).filter(([key]) => !gone.has(key)));
	const { work, delivery } = change;
	const next = {
		...(kept as Plan),
		...given,
		...(work === undefined ? {} : { work: work.map(({ description }) => ({ description, status: "pending" as const })) }),
		...(delivery === undefined
			? {}
			: {
					delivery: delivery.map((one, index) => ({
						...one,
						actionId: previewId(plan.planId, index),
						status: "pending" as const,
						attempts: 0,
					})),
				}),
	};
	return changedPlan({ ...next, scheduleWords: schedule.words }, schedule.nextDueAt);
}

/** Pauses the schedule. `pausedFor`: why XWorkmate pauses it; absent if the user does. */
export function decidePause(state: PlanState, pausedFor?: Plan["pausedFor"]): readonly PlanEvent[] {
	const { plan } = state;
	if (plan.status === "paused" || plan.status === "deleted") return [];
	return changedPlan({ ...plan, status: "paused", ...omitUndefined({ pausedFor }) }, state.nextDueAt);
}

/** Resumes the schedule. `nextDueAt`: the first time after now. Times that passed during the pause are not made up for. */
export function decideResume(state: PlanState, nextDueAt: Timestamp | undefined): readonly PlanEvent[] {
	if (state.plan.status !== "paused") return [];
	const { pausedFor: _why, ...plan } = state.plan;
	return changedPlan({ ...plan, status: "pending" }, nextDueAt);
}

/** Deletes the plan permanently. Separate events cancel its open occurrences. */
export function decideDelete(state: PlanState): readonly PlanEvent[] {
	if (state.plan.status === "deleted") return [];
	const { pausedFor: _why, ...plan } = state.plan;
	return changedPlan({ ...plan, status: "deleted" }, undefined);
}

function changedPlan({ nextDueAt: _before, ...plan }: Plan, nextDueAt: Timestamp | undefined): readonly PlanEvent[] {
	return [{ body: { kind: "task:changed", plan: { ...plan, revision: plan.revision + 1, ...omitUndefined({ nextDueAt }) } } }];
}
