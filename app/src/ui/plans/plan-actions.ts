import type { Plan, PlanId, RequestId } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { type OpenOccurrences, openOccurrences } from "../../text/plans/open-messages.ts";
import { pressedIds } from "../composer/pressed-ids.ts";
import { callApp } from "../connection/call-app.ts";
import { go } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { visibleName } from "../text/visible-text.ts";

const words = plansPageWords.actions;

/**
 * Makes a plan due now, in addition to its schedule. Until the page shows another occurrence, pressing again repeats the same request, so
 * that the plan runs once. The second click of a double click does nothing, because the first click's occurrence may already be shown.
 * `detail`: the number of clicks, as the browser counts them.
 */
export async function runNow({ planId, title, occurrence }: Plan, { detail }: { readonly detail: number }): Promise<boolean> {
	if (detail > 1) return false;
	const requestId = pressedIds(`run ${planId}`, { prompt: occurrence?.occurrenceId ?? "" }).turnId as RequestId;
	return attempt(async () => {
		await callApp("runPlan", { planId, requestId });
		say(fill(words.started, { title: visibleName(title) }));
	});
}

/**
 * Whether the page offers to pause or resume a plan: if it is paused, or if it is recurring and has a next due time. The bridge
 * refuses to pause a plan that has no more due times.
 */
export function isPausable({ type, nextDueAt, status }: Plan): boolean {
	return status === "paused" || (type === "recurring" && nextDueAt !== undefined);
}

/** Pauses a plan, so that it does not become due, or resumes it. */
export function togglePaused(plan: Plan): Promise<boolean> {
	const { planId, title, status } = plan;
	const isPaused = status === "paused";
	return attempt(async () => {
		const now = await callApp(isPaused ? "resumePlan" : "pausePlan", { planId });
		const undo = () => void attempt(() => callApp(isPaused ? "pausePlan" : "resumePlan", { planId }));
		const said = fill(isPaused ? words.resumed : words.paused, { title: visibleName(title) });
		// A plan whose only time has passed can be resumed, but not paused again.
		say(said, isPausable(now) ? { word: plansPageWords.undo, undo } : undefined);
	});
}

/** Cancels what is pending in a plan's open occurrences. Messages that were already handed over are not affected. */
export function cancelOpen({ planId }: Plan): Promise<boolean> {
	return attempt(() => callApp("cancelPlan", { planId }));
}

/** Reads the occurrences of a plan that have not ended. */
export function readOpen(planId: PlanId): Promise<OpenOccurrences> {
	return openOccurrences((cursor) => callApp("planOccurrences", { planId, limit: 200, ...(cursor !== undefined && { cursor }) }));
}

/** Deletes a plan. If an agent was at work, a message says that its agent was asked to stop, because the page no longer shows the plan. */
export function remove({ planId, title }: Plan): Promise<boolean> {
	return attempt(async () => {
		// Read before the deletion, which ends every open occurrence. An older occurrence may be at work as well as the newest.
		const open = await readOpen(planId);
		// Without a run, the bridge has not begun the work, so there is no agent to stop.
		const isWorking = open.items.some(({ status, runs }) => status === "running" && runs.at(-1)?.runId !== undefined);
		await callApp("deletePlan", { planId });
		go({ page: "plans" });
		say(fill(isWorking ? words.removedWorking : words.removed, { title: visibleName(title) }));
	});
}
