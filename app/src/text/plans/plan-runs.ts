import type { Approval, Occurrence, Plan, RunId } from "@xworkmate/contracts";
import { planStatusOf, type ShownPlanStatus } from "../../strings/plans/plan-words.ts";
import type { ListedThread } from "../../threads/domain/listed-thread.ts";
import { stopAskedAt } from "../runs/stop-asked-at.ts";
import { isCutShort } from "./is-cut-short.ts";

/** A run that has not ended, as found in a list of threads or of runs. */
export interface ActiveRun {
	readonly threadId: string;
	readonly turnId: string;
	readonly runId?: RunId | undefined;
	/** True once the run has been asked to stop, by the user, by another program or with its plan. */
	readonly isAskedToStop: boolean;
	/** True while the run is queued, so that no agent is working on it yet. */
	readonly isQueued: boolean;
}

/** What is known about runs beyond what plans record about them. */
export interface RunsNow {
	readonly active: readonly ActiveRun[];
	/** The runs that are waiting for an answer from the user. */
	readonly asked: ReadonlySet<RunId | undefined>;
}

export const noRuns: RunsNow = { active: [], asked: new Set() };

/** What the app knows about runs: the active run of a plan is the newest in its thread. */
export function runsNowOf(
	threads: readonly Pick<ListedThread, "threadId" | "lastTurn">[],
	approvals: readonly Pick<Approval, "runId">[],
): RunsNow {
	return {
		active: threads.flatMap(({ threadId, lastTurn }) => {
			if (lastTurn?.status !== "running" && lastTurn?.status !== "queued") return [];
			const { turnId, runId } = lastTurn;
			return [{ threadId, turnId, runId, isAskedToStop: stopAskedAt(lastTurn) !== undefined, isQueued: lastTurn.status === "queued" }];
		}),
		asked: new Set(approvals.map(({ runId }) => runId)),
	};
}

/** What an occurrence's active run is doing, if that is not just working. `waiting`: the bridge has not accepted the work as a run yet. */
export type RunState = "asks" | "stopping" | "waiting" | "queued";

export interface PlanState {
	readonly status: ShownPlanStatus;
	/** The id of the occurrence whose run is waiting for an answer from the user. */
	readonly asking?: string;
	/** The ids of the occurrences whose work was asked to stop but is still running. */
	readonly stopping: ReadonlySet<string>;
	/** True if the plan is shown as stopping, because a stop that has not taken effect yet says more about the plan than its status. */
	readonly isStopping: boolean;
	/** What the newest occurrence's work is waiting for, if no agent is working for the plan although its status is `running`. */
	readonly waits?: "waiting" | "queued";
}

/** The state of the newest run of an occurrence. Undefined if nothing is known beyond what the occurrence records. */
export function runStateOf({ status, kind, runs }: Pick<Occurrence, "status" | "kind" | "runs">, now: RunsNow): RunState | undefined {
	const run = runs.at(-1);
	if (run === undefined || run.status !== undefined || kind === "resend") return undefined;
	const active = now.active.find(({ threadId, turnId }) => threadId === run.threadId && turnId === run.turnId);
	if (status === "running" && isAsked(run, now)) return "asks";
	if (active === undefined) return status === "running" && run.runId === undefined ? "waiting" : undefined;
	if (active.isAskedToStop || isCutShort({ status, kind, runs })) return "stopping";
	return status === "running" && active.isQueued ? "queued" : undefined;
}

/**
 * The state of a plan, as every list and page shows it. A plan contains only its newest occurrence, so the state of earlier ones is derived
 * from the active runs.
 */
export function planStateOf(plan: Plan, now: RunsNow): PlanState {
	const { occurrence } = plan;
	const newest = occurrence && runStateOf(occurrence, now);
	const earlier = now.active.filter((run) => isOfPlan(run, plan) && occurrenceIdOf(run) !== occurrence?.occurrenceId);
	const earlierAsking = earlier.find((run) => isAsked(run, now));
	const asking = newest === "asks" ? occurrence?.occurrenceId : earlierAsking && occurrenceIdOf(earlierAsking);
	const stopping = new Set([
		...(occurrence !== undefined && newest === "stopping" ? [occurrence.occurrenceId] : []),
		...earlier.filter(({ isAskedToStop }) => isAskedToStop).map(occurrenceIdOf),
	]);
	const status = planStatusOf(plan, asking !== undefined);
	const isStopping = stopping.size > 0 && (status === "running" ? newest === "stopping" : quiet.has(status));
	const waits = status === "running" && earlier.length === 0 && (newest === "waiting" || newest === "queued") ? newest : undefined;
	return { status, ...(asking !== undefined && { asking }), stopping, isStopping, ...(waits !== undefined && { waits }) };
}

/** True if a plan waits for the user: for a decision about its messages, or for an answer to its agent. */
export function needsUser({ needsReview }: Pick<Plan, "needsReview">, { status }: Pick<PlanState, "status">): boolean {
	return needsReview > 0 || status === "asks";
}

/** States in which a plan is neither working nor waiting for the user. */
const quiet: ReadonlySet<ShownPlanStatus> = new Set([
	"pending",
	"paused",
	"completed",
	"failed",
	"unverified",
	"cancelled",
	"discarded",
	"skipped",
]);

function isAsked({ runId }: { readonly runId?: RunId | undefined }, { asked }: RunsNow): boolean {
	return runId !== undefined && asked.has(runId);
}

/** The turn of a plan's run is named `<occurrence>-<n>`, and an occurrence `<plan>-<n>`. */
function occurrenceIdOf({ turnId }: ActiveRun): string {
	return turnId.replace(/-\d+$/, "");
}

function isOfPlan(run: ActiveRun, { planId, threadId }: Plan): boolean {
	return run.threadId === threadId && occurrenceIdOf(run).replace(/-\d+$/, "") === planId;
}
