import { type Plan, PlanStatus } from "@xworkmate/contracts";
import { InvalidArgumentError } from "commander";
import { planStatusWords, type ShownPlanStatus, waitingOf } from "../../strings/plans/plan-words.ts";
import { workStateWords } from "../../strings/plans/work-words.ts";
import { noRuns, type PlanState, planStateOf, type RunState } from "../../text/plans/plan-runs.ts";
import type { Reading } from "./plan-lines.ts";

/**
 * A state by which plans can be listed: one that the list prints, or one by which the bridge selects. A plan's printed state often differs
 * from the bridge's, and a plan may be printed in several states, so the two kinds select different plans.
 */
export type ListedState = { readonly printed: PrintedState } | { readonly status: PlanStatus };

/** A state that the list prints: a plan's own or, for a running plan whose work no agent has begun, what that work waits for. */
type PrintedState = ShownPlanStatus | NonNullable<PlanState["waits"]>;

const stateNames: Readonly<Record<PrintedState, string>> = {
	...planStatusWords,
	waiting: workStateWords.waiting,
	queued: workStateWords.queued,
};
const shownOnly: readonly PrintedState[] = Object.keys(stateNames)
	.filter(isPrintedState)
	.filter((state) => !isPlanStatus(state));
const form = (word: string) =>
	word
		.toLowerCase()
		.replaceAll(/[\s_-]+/g, " ")
		.trim();

const states: readonly PrintedState[] = [...PlanStatus.options, ...shownOnly];
const printedWords = states.map((state) => stateNames[state]).join(", ");
/** The protocol's words that the list does not print. A word that the list also prints means the printed state. */
const protocolWords = PlanStatus.options.filter((state) => form(planStatusWords[state]) !== state);

/** The help of the option by which plans are listed. */
export const listedStatesHelp = `Only plans in this state, as the list shows it (in upper or lower case): ${printedWords}; or exactly as the bridge calls it: ${protocolWords.join(", ")}`;

/**
 * The state that a user names: by the word that the list prints, in upper or lower case, with spaces, hyphens or underscores, or by a word
 * of the protocol, exactly as it is written there.
 * @throws InvalidArgumentError if it is neither
 */
export function listedState(word: string): ListedState {
	const status = protocolWords.find((state) => state === word);
	if (status !== undefined) return { status };
	const wanted = form(word);
	const printed = states.find((state) => form(stateNames[state]) === wanted || form(state) === wanted);
	if (printed === undefined) throw new InvalidArgumentError(`It must be one of: ${[printedWords, ...protocolWords].join(", ")}.`);
	return { printed };
}

/**
 * The status by which the bridge is asked for plans in a state. Undefined for a printed state, because plans in that state have to be found
 * among all plans; except "deleted", because the bridge lists deleted plans only by this status.
 */
export function askedStatus(state: ListedState): PlanStatus | undefined {
	if ("status" in state) return state.status;
	return state.printed === "deleted" ? state.printed : undefined;
}

/** True if a plan that the bridge listed is in the state that the user named. */
export function isListed(state: ListedState, plan: Plan, reading: Reading): boolean {
	return "status" in state || shownStates(plan, reading).includes(state.printed);
}

function isPlanStatus(state: string): state is PlanStatus {
	return PlanStatus.safeParse(state).success;
}

function isPrintedState(state: string): state is PrintedState {
	return state in stateNames;
}

/** The state of a plan, with the number of its messages that need a review, and of those whose outcome is unknown. */
export function stateCell(plan: Plan, reading: Reading): string {
	const { review, unknown } = waitingOf(plan);
	const counts: Partial<Record<PrintedState, number>> = { needs_review: review, unknown };
	const states = shownStates(plan, reading).map((state) =>
		(counts[state] ?? 0) > 0 ? `${stateNames[state]} (${counts[state]})` : stateNames[state],
	);
	return [...states, ...stopWords(plan, reading)].join(", ");
}

/** The state of a plan without the counts, because the messages that they count are listed below. */
export function stateWords(plan: Plan, reading: Reading): string {
	return [stateNames[printedState(planStateOf(plan, reading.runs ?? noRuns))], ...stopWords(plan, reading)].join(", ");
}

/** The word of an occurrence whose run waits for something. Undefined if its own status says more. */
export function runWord(run: RunState | undefined): string | undefined {
	return run === undefined || run === "stopping" ? undefined : workStateWords[run];
}

/** What is printed for a plan's state. `waits` is absent unless the plan is running. */
function printedState({ status, waits }: PlanState): PrintedState {
	return waits ?? status;
}

/** Words for work that was asked to stop. Empty while other work of a running plan continues, because the plan's state is enough then. */
function stopWords(plan: Plan, { runs = noRuns }: Reading): readonly string[] {
	const { status, stopping, isStopping } = planStateOf(plan, runs);
	if (status === "running") return isStopping ? ["stop requested"] : [];
	return stopping.size > 0 ? ["work still running"] : [];
}

/**
 * The states that the list shows for a plan: its own, unless the messages that are waiting for the user imply it; those of these messages;
 * and "paused" for a paused plan whose agent is waiting for an answer.
 */
function shownStates(plan: Plan, { runs = noRuns }: Pick<Reading, "runs">): readonly PrintedState[] {
	const state = planStateOf(plan, runs);
	const { status } = state;
	const { review, unknown } = waitingOf(plan);
	const waiting: readonly ShownPlanStatus[] = [
		...(review > 0 ? ["needs_review" as const] : []),
		...(unknown > 0 ? ["unknown" as const] : []),
	];
	const isSaid = waiting.length > 0 && (status === "needs_review" || status === "unknown");
	const paused: readonly ShownPlanStatus[] = plan.status === "paused" && status === "asks" ? ["paused"] : [];
	return isSaid ? waiting : [...paused, printedState(state), ...waiting];
}
