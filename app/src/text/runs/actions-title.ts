import type { Activity, Snapshot } from "@xworkmate/contracts";
import { isUntrue, unpermittedIn } from "@xworkmate/contracts/unpermitted";
import { activityWords, groundingWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { swappedLine } from "../calls/decision-line.ts";
import { mayBeMore } from "./why-unverified.ts";

/** The maximum number of calls that are named. */
const SWAPPED = 5;

type Counted = { readonly one: string; readonly many: string };

export function sayCount(count: number, { one, many }: Counted): string {
	return count === 1 ? one : fill(many, { count });
}

/** How many claims of an answer could not be verified: "100 or more" if there may be more than the check named. */
export function sayClaims(problems: readonly unknown[], words: Counted): string {
	if (!mayBeMore(problems)) return sayCount(problems.length, words);
	return fill(words.many, { count: fill(groundingWords.orMore, { count: problems.length }) });
}

/** True if the run called tools through the bridge. Its outcome then has to say what was done. */
export function hasExecuted(activity: Activity | undefined): activity is Activity {
	return activity?.items.some(({ origin }) => origin === "executed") === true;
}

/** True if a call that the bridge was asked to make is not known to have succeeded. */
function isLacking({ items }: Activity): boolean {
	return items.some(({ origin, status }) => origin === "executed" && status !== "succeeded");
}

/** True if it is unknown whether a call that the bridge was asked to make had an effect. */
function isUnknown({ items }: Activity): boolean {
	return items.some(({ origin, status }) => origin === "executed" && status === "unknown");
}

/** True if an edit, a deletion or a move that the agent reports did not happen as it reports it. */
export function isContradicted(activity: Activity | undefined): boolean {
	return activity?.items.some(isUntrue) === true;
}

/**
 * Both commands of each call whose reported command differs from the one that was allowed, for up to five calls. The commands may contain
 * text from outside.
 */
export function swappedLines(activity: Activity | undefined): readonly string[] {
	return activity?.items.flatMap(({ swapped }) => (swapped === undefined ? [] : [swappedLine(swapped)])).slice(0, SWAPPED) ?? [];
}

/** What a run did not do through tools, or may not have done, as the title of a success; undefined if every call succeeded. */
export function undoneTitle(activity: Activity): string | undefined {
	if (!isLacking(activity)) return undefined;
	const { noneDone, someNot, someUnknown } = activityWords;
	if (isUnknown(activity)) return someUnknown;
	return activity.completed === 0 ? noneDone : someNot;
}

/**
 * The title of a success that needs a qualification; if several apply, the title gives the most serious one. Undefined for any other
 * success, and for a run whose calls through the bridge all succeeded, even if its answer could not be verified.
 */
export function actionsTitle({ activity, grounding }: Pick<Snapshot, "activity" | "grounding"> = {}): string | undefined {
	const unpermitted = activity && unpermittedIn(activity);
	if (unpermitted !== undefined) return activityWords.unpermitted[unpermitted];
	if (isContradicted(activity)) return activityWords.untrue;
	if (hasExecuted(activity)) return undoneTitle(activity);
	if (grounding?.state === "replaced") return groundingWords.replaced;
	return grounding?.state === "unverified" ? sayClaims(grounding.problems, groundingWords.unverified) : undefined;
}
