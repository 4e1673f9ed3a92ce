import type { Snapshot } from "@xworkmate/contracts";
import { activityWords } from "../../strings/call-words.ts";
import { count } from "../../strings/interface.ts";
import { hasExecuted, isLacking, isUnknown } from "./activity-view.ts";
import type { Outcome } from "./outcome.ts";

/**
 * The outcome of a run that acted through tools: a card that can hold what was done. Succeeding is not enough for green if something
 * that was asked for is not known to be done.
 */
export function withActions(outcome: Outcome, snapshot: Pick<Snapshot, "activity" | "receipts"> | undefined): Outcome {
	const { activity, receipts } = snapshot ?? {};
	if (!hasExecuted(activity)) return outcome;
	const { quiet, ...card } = outcome;
	const kept = receipts === undefined ? [] : [count(receipts.count, "receipt")];
	const facts = [...(quiet ? [outcome.title] : []), ...outcome.facts, ...kept];
	if (outcome.tone !== "ok") return { ...card, facts };
	// To send the message again would act again.
	const actions = outcome.actions.filter((action) => action !== "retry");
	if (!isLacking(activity)) return { ...card, facts, actions, ...(quiet && { title: activityWords.succeeded }) };
	const { noneDone, someNot, someUnknown } = activityWords;
	const title = isUnknown(activity) ? someUnknown : activity.completed === 0 ? noneDone : someNot;
	return { ...card, tone: "mixed", title, facts, actions, ...(!quiet && { say: outcome.title }) };
}
