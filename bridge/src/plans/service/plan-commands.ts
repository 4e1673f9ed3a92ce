import {
	ContractError,
	canonicalJson,
	type MethodParams,
	type MethodResult,
	type NewPlan,
	type Plan,
	type PlanChange,
	PlanId,
	ThreadId,
} from "@xworkmate/contracts";
import { customAlphabet } from "nanoid";
import { timestamp } from "../../ports/clock.ts";
import type { OpenOccurrence, PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import type { PlanService } from "../../ports/plans/plan-service.ts";
import { decideCancel, decideDue } from "../domain/decide-occurrence.ts";
import { decideChange, decideCreate, decideDelete, decidePause, decideResume, type ScheduleView } from "../domain/decide-plan.ts";
import { applyPlanEvent, planView } from "../domain/plan-state.ts";
import { sha256Of } from "../domain/sha256.ts";
import { findOccurrence, findPlan, noPlan, otherRequest, refuseDeleted } from "../find-plan.ts";
import { millis } from "../missed-times.ts";
import { PERSON, type PlanParts } from "../plan-parts.ts";
import { newSchedule, nextDueAt, scheduleTerms } from "../plan-schedule.ts";
import { checkTerms } from "../plan-terms.ts";

type Commands = Pick<PlanService, "create" | "update" | "run" | "pause" | "resume" | "delete" | "cancel">;

// Lower case only, as for the ids of runs.
const mintId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 20);

/** The commands that make and change plans, and that run them on the user's request. */
export function planCommands(parts: PlanParts): Commands {
	const { store, log, clock, queue } = parts;
	const change = (planId: PlanId, decide: (state: PlanState) => readonly PlanEvent[]) =>
		queue.add(planId, async () => planView((await log.tryChange(planId, decide)).state));
	return {
		create: (params) => queue.add(params.requestId, () => create(parts, params)),
		update: (params) => queue.add(params.planId, () => update(parts, params)),
		run: (params) => queue.add(params.planId, () => runNow(parts, params)),
		pause: ({ planId }) =>
			change(planId, (state) => {
				refuseDeleted(state);
				refuseOver(state);
				return decidePause(state);
			}),
		resume: ({ planId }) =>
			change(planId, (state) => {
				refuseDeleted(state);
				return resumed(state, clock.now());
			}),
		delete: async ({ planId }) => {
			let ending: readonly OpenOccurrence[] = [];
			const view = await change(planId, (state) => {
				ending = state.open;
				return [...decideDelete(state), ...ending.flatMap((open) => decideCancel(open, PERSON))];
			});
			await stopRuns(parts, ending);
			return view;
		},
		cancel: async ({ planId, occurrenceId }) => {
			if (occurrenceId !== undefined && (await findOccurrence(store, occurrenceId)).planId !== planId) throw noPlan(planId);
			let ending: readonly OpenOccurrence[] = [];
			const view = await change(planId, (state) => {
				ending = state.open.filter(({ occurrence }) => occurrenceId === undefined || occurrence.occurrenceId === occurrenceId);
				return ending.flatMap((open) => decideCancel(open, PERSON));
			});
			await stopRuns(parts, ending);
			return view;
		},
	};
}

/** A plan that has no more due times has nothing to pause. */
function refuseOver({ plan, nextDueAt: next, open }: PlanState): void {
	if (plan.status === "paused" || next !== undefined) return;
	throw new ContractError("INVALID_PARAMS", {
		detail: "This plan can't be paused because it has no more due times.",
		fix:
			open.length === 0
				? `Run it now: \`npm run -s xworkmate -- plans run ${plan.planId}\``
				: `Cancel it: \`npm run -s xworkmate -- plans cancel ${plan.planId}\``,
	});
}

async function create(parts: PlanParts, params: NewPlan): Promise<Plan> {
	const { store, log, clock, maxPlans } = parts;
	const { requestId, ...terms } = params;
	const inputHash = sha256Of(canonicalTerms(terms));
	const same = async (): Promise<Plan | undefined> => {
		const known = await store.findByRequest(requestId);
		if (known === undefined) return undefined;
		if (known.inputHash !== inputHash) throw new ContractError("PLAN_CONFLICT");
		return planView(await findPlan(store, known.planId));
	};
	const known = await same();
	if (known !== undefined) return known;
	const schedule = newSchedule(scheduleTerms(params), clock.now());
	await checkTerms(params, parts);
	if ((await store.countPlans()) >= maxPlans)
		throw new ContractError("PLAN_LIMIT", { detail: `The limit of ${maxPlans} ${maxPlans === 1 ? "plan" : "plans"} has been reached.` });
	const planId = PlanId.parse(`plan-${mintId()}`);
	const events = createdEvents(params, planId, schedule, clock.now());
	const committed = await log.create({ planId, requestId, inputHash }, events);
	const plan = committed === undefined ? await same() : planView(committed.state);
	if (plan === undefined) throw new Error("a plan was neither created nor found");
	return plan;
}

/** The terms as canonical JSON. Text with half a surrogate pair is refused: it has no hash, and no channel could send it. */
function canonicalTerms(terms: object): string {
	try {
		return canonicalJson(terms);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		throw new ContractError("INVALID_PARAMS", {
			detail: "The request contains half a character (a lone surrogate).",
			fix: "Remove that character.",
			cause: error,
		});
	}
}

/** An `immediate` plan comes due in the same commit that makes it. */
function createdEvents(params: NewPlan, planId: PlanId, schedule: ScheduleView, now: number): readonly PlanEvent[] {
	const at = timestamp(now);
	const threadId = params.threadId ?? ThreadId.parse(planId);
	const created = decideCreate(params, { planId, threadId }, schedule, at);
	const [event] = created;
	if (params.type !== "immediate" || event === undefined) return created;
	return [...created, ...decideDue(applyPlanEvent(undefined, { seq: 1, event }), { kind: "scheduled", dueAt: at })];
}

async function update(parts: PlanParts, { planId, revision, change }: MethodParams<"xworkmate.plans.update">): Promise<Plan> {
	const { store, log, clock } = parts;
	await checkTerms(changedTerms((await findPlan(store, planId)).plan, change), parts);
	canonicalTerms(change);
	const { state } = await log.tryChange(planId, (now) => {
		refuseDeleted(now);
		if (now.plan.revision !== revision) throw new ContractError("REVISION_CONFLICT");
		return decideChange(now, change, changedSchedule(now, change, clock.now()));
	});
	return planView(state);
}

function changedTerms(plan: Plan, { instructions, work, delivery, routing }: PlanChange) {
	return {
		instructions: instructions ?? plan.instructions,
		work: work ?? plan.work,
		delivery: delivery ?? plan.delivery,
		routing: routing === null ? undefined : (routing ?? plan.routing),
	};
}

/** A change that does not concern the schedule leaves the next time unchanged. */
function changedSchedule({ plan, nextDueAt: next }: PlanState, change: PlanChange, now: number): ScheduleView {
	const { scheduledFor, cron, timezone } = change;
	if (scheduledFor === undefined && cron === undefined && timezone === undefined) return { nextDueAt: next, words: plan.scheduleWords };
	const changed = {
		type: plan.type,
		timezone: timezone ?? plan.timezone,
		scheduledFor: scheduledFor === null ? undefined : (scheduledFor ?? plan.scheduledFor),
		cron: cron === null ? undefined : (cron ?? plan.cron),
	};
	return newSchedule(scheduleTerms(changed), now);
}

/**
 * Resumes a plan. Times that passed during the pause are not made up for. If the plan's only time has passed, its occurrence waits for the
 * user, or is skipped while another one is active.
 */
function resumed(state: PlanState, now: number): readonly PlanEvent[] {
	const terms = scheduleTerms(state.plan);
	const events = decideResume(state, nextDueAt(terms, now));
	const [event] = events;
	const before = state.nextDueAt;
	if (event === undefined || terms.type !== "scheduled" || before === undefined || millis(before) > now) return events;
	const next = applyPlanEvent(state, { seq: state.lastSeq + 1, event });
	return [...events, ...decideDue(next, { kind: "scheduled", dueAt: before, isTooLate: true })];
}

async function runNow(
	parts: PlanParts,
	{ planId, requestId }: MethodParams<"xworkmate.plans.run">,
): Promise<MethodResult<"xworkmate.plans.run">> {
	const { store, log, clock } = parts;
	await findPlan(store, planId);
	const known = await store.findOccurrenceByRequest(planId, requestId);
	if (known !== undefined) {
		if (known.kind !== "manual") throw otherRequest();
		return known;
	}
	const { state } = await log.tryChange(planId, (now) => {
		refuseDeleted(now);
		return decideDue(now, { kind: "manual", dueAt: timestamp(clock.now()), requestId });
	});
	if (state.newest === undefined) throw new Error("nothing came due");
	return state.newest;
}

/**
 * Asks the runs of occurrences that were open to stop. Settles when the requests are recorded; a run may continue to work until it has
 * stopped. A run that has ended in the meantime, or no longer exists, is left alone.
 */
async function stopRuns({ runs, onError }: PlanParts, ending: readonly OpenOccurrence[]): Promise<void> {
	const active = ending.flatMap(({ occurrence: { status, runs: all } }) => {
		const run = all.at(-1);
		return status !== "running" || run?.runId === undefined || run.status !== undefined ? [] : [run.runId];
	});
	await Promise.all(
		active.map((runId) =>
			runs.cancel(runId).catch((error: unknown) => {
				if (!(error instanceof ContractError)) onError(error);
			}),
		),
	);
}
