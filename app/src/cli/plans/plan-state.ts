import { type Plan, PlanStatus } from "@xworkmate/contracts";
import { InvalidArgumentError } from "commander";
import { planStatusWords, type ShownPlanStatus, waitingOf } from "../../strings/plan-words.ts";
import { noRuns, planStateOf } from "../../text/plan-runs.ts";
import type { Reading } from "./plan-lines.ts";

/** A state by which plans can be listed: one that the bridge knows, or one that only the list shows. */
export type ListedState = PlanStatus | ShownPlanStatus;

const shownOnly: readonly ShownPlanStatus[] = Object.keys(planStatusWords)
	.filter(isShownState)
	.filter((state) => !isPlanStatus(state));
const form = (word: string) =>
	word
		.toLowerCase()
		.replaceAll(/[\s_-]+/g, " ")
		.trim();

/**
 * All listed states, as help and an error name them: each by the word that the list prints, and also by the protocol's word if it differs.
 */
export const listedStates = [...PlanStatus.options, ...shownOnly]
	.map((state) => {
		const isNamedAlike = shownOnly.includes(state) || form(planStatusWords[state]) === state;
		return isNamedAlike ? planStatusWords[state] : `${planStatusWords[state]} (${state})`;
	})
	.join(", ");

/**
 * The state that a user names by the protocol's word or by the one that the list prints, in any case, with spaces, hyphens or underscores.
 * @throws InvalidArgumentError if it is neither
 */
export function listedState(word: string): ListedState {
	const wanted = form(word);
	const found = [...PlanStatus.options, ...shownOnly].find((state) => form(planStatusWords[state]) === wanted || form(state) === wanted);
	if (found === undefined) throw new InvalidArgumentError(`It must be one of: ${listedStates}.`);
	return found;
}

/** True for a state by which the bridge selects; false for one that only the list shows. */
export function isPlanStatus(state: string): state is PlanStatus {
	return PlanStatus.safeParse(state).success;
}

function isShownState(state: string): state is ShownPlanStatus {
	return state in planStatusWords;
}

/** The state of a plan, with how many of its messages are to be reviewed, and how many are to be settled. */
export function stateCell(plan: Plan, reading: Reading): string {
	const { review, unknown } = waitingOf(plan);
	const counts: Partial<Record<ShownPlanStatus, number>> = { needs_review: review, unknown };
	const states = shownStates(plan, reading).map((state) =>
		(counts[state] ?? 0) > 0 ? `${planStatusWords[state]} (${counts[state]})` : planStatusWords[state],
	);
	return [...states, ...stopWords(plan, reading)].join(", ");
}

/** The state of a plan without the counts, since everything that is counted is listed below it. */
export function stateWords(plan: Plan, reading: Reading): string {
	const { status } = planStateOf(plan, reading.runs ?? noRuns);
	return [planStatusWords[status], ...stopWords(plan, reading)].join(", ");
}

/** Words for work that was asked to stop. While other work goes on, the plan's own state says enough. */
function stopWords(plan: Plan, { runs = noRuns }: Reading): readonly string[] {
	const { status, stopping, isStopping } = planStateOf(plan, runs);
	if (status === "running") return isStopping ? ["stop requested"] : [];
	return stopping.size > 0 ? ["work still running"] : [];
}

/** The states that the list shows for a plan: its own, unless the messages that are waiting for the user imply it. */
export function shownStates(plan: Plan, { runs = noRuns }: Pick<Reading, "runs">): readonly ShownPlanStatus[] {
	const { status } = planStateOf(plan, runs);
	const { review, unknown } = waitingOf(plan);
	const waiting: readonly ShownPlanStatus[] = [
		...(review > 0 ? ["needs_review" as const] : []),
		...(unknown > 0 ? ["unknown" as const] : []),
	];
	const isSaid = waiting.length > 0 && (status === "needs_review" || status === "unknown");
	const paused: readonly ShownPlanStatus[] = plan.status === "paused" && status === "asks" ? ["paused"] : [];
	return isSaid ? waiting : [...paused, status, ...waiting];
}
