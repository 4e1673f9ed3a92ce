import type { Activity, Grounding, Snapshot } from "@xworkmate/contracts";
import { unpermittedIn } from "@xworkmate/contracts/unpermitted";
import { activityWords, groundingWords } from "../../strings/calls/call-words.ts";
import { count } from "../../strings/interface.ts";
import { unpermittedClause } from "../../text/calls/unpermitted-words.ts";
import { hasExecuted, isContradicted, sayClaims, sayCount, swappedLines, undoneTitle } from "../../text/runs/actions-title.ts";
import { noFilesWords, rejectedTitle } from "../../text/runs/no-files-words.ts";
import { visibleName } from "../text/visible-text.ts";
import { againSafely } from "./again-safely.ts";
import type { Outcome } from "./outcome.ts";

type ActedSnapshot = Pick<Snapshot, "activity" | "receipts" | "grounding"> & Partial<Pick<Snapshot, "artifacts">>;

/**
 * The outcome of a run that acted through tools, as a card that can show what was done. A success is not green if something that was
 * requested is not known to be done, if the agent acted without permission or reports something that did not happen, if the answer makes
 * claims that no receipt backs, or if files were rejected.
 */
export function withActions(outcome: Outcome, snapshot: ActedSnapshot | undefined): Outcome {
	const activity = snapshot?.activity;
	const hasActed = activity?.items.some(({ risk }) => risk !== "read") === true;
	const again = outcome.tone === "ok" ? outcome : { ...outcome, actions: againSafely(outcome.actions, hasActed) };
	const acted = withPermission(withTruth(withActivity(again, snapshot), activity), activity);
	const grounded = snapshot?.grounding === undefined ? acted : withGrounding(acted, snapshot.grounding, hasExecuted(snapshot.activity));
	return withRejected(grounded, snapshot);
}

/** Makes the rejection of files the title of a success, unless the title already says something more serious. */
function withRejected(outcome: Outcome, snapshot: ActedSnapshot | undefined): Outcome {
	const some = rejectedTitle(outcome.rejectedCount);
	if (outcome.tone !== "ok" || some === undefined) return outcome;
	const { quiet: _quiet, ...card } = outcome;
	if (snapshot?.artifacts?.count !== 0) return { ...card, tone: "mixed", title: some, ...stillSaid(outcome) };
	const title = noFilesWords(outcome.rejectedCount);
	const facts = outcome.facts.filter((fact) => fact !== title);
	return { ...card, tone: "mixed", title, facts: outcome.title === activityWords.succeeded ? facts : [outcome.title, ...facts] };
}

/** What a card still says of a success once another title says that it succeeded: which files were saved, if any were. */
function stillSaid({ saved }: Outcome): Pick<Outcome, "say"> {
	return saved === undefined ? {} : { say: saved };
}

function withGrounding(outcome: Outcome, { state, problems }: Grounding, hasActivity: boolean): Outcome {
	// For a run with calls, the activity already says how many actions were completed.
	if (state === "no_action" && !hasActivity) return { ...outcome, facts: [...outcome.facts, sayCount(0, activityWords.completed)] };
	if (state !== "unverified" && state !== "replaced") return outcome;
	const isOurs = state === "replaced";
	if (outcome.tone !== "ok" || !outcome.quiet) {
		const fact = isOurs ? groundingWords.replacedFact : sayClaims(problems, groundingWords.claims);
		return { ...outcome, tone: outcome.tone === "ok" ? "mixed" : outcome.tone, facts: [...outcome.facts, fact] };
	}
	const { quiet: _quiet, ...card } = outcome;
	const title = isOurs ? groundingWords.replaced : sayClaims(problems, groundingWords.unverified);
	// What the answer claims may be true, so sending the message again could do it twice.
	return { ...card, tone: "mixed", title, actions: withoutRetry(outcome) };
}

/**
 * Adds that the agent reports having done something without permission. A success is then no longer shown as one, even if all of its files
 * were checked. Any other end is followed by it in the title.
 */
function withPermission(outcome: Outcome, activity: Activity | undefined): Outcome {
	const unpermitted = activity && unpermittedIn(activity);
	if (unpermitted === undefined) return outcome;
	const { quiet, ...card } = outcome;
	const both = swappedLines(activity).map(visibleName);
	if (outcome.tone !== "ok" && outcome.tone !== "mixed") {
		const [, end = "", stop = ""] = /^(.*?)(\.?)$/s.exec(outcome.title) ?? [];
		const title = `${end}; ${unpermittedClause(unpermitted)}${stop}`;
		return { ...card, title, facts: [...outcome.facts, ...both] };
	}
	const title = activityWords.unpermitted[unpermitted];
	const facts = [...(quiet ? [outcome.title] : []), ...both, ...outcome.facts];
	const say = outcome.tone === "ok" ? stillSaid(outcome) : { say: outcome.title };
	return { ...card, tone: "mixed", title, facts, actions: withoutRetry(outcome), ...say };
}

/** Adds that the agent reports something that did not happen. The facts already say what that is. */
function withTruth(outcome: Outcome, activity: Activity | undefined): Outcome {
	if (outcome.tone !== "ok" || !isContradicted(activity)) return outcome;
	const { quiet, ...card } = outcome;
	const facts = quiet ? [outcome.title, ...outcome.facts] : outcome.facts;
	return { ...card, tone: "mixed", title: activityWords.untrue, facts, ...stillSaid(outcome) };
}

function withoutRetry({ actions }: Outcome): Outcome["actions"] {
	return actions.filter((action) => action !== "retry");
}

function withActivity(outcome: Outcome, snapshot: Pick<Snapshot, "activity" | "receipts"> | undefined): Outcome {
	const { activity, receipts } = snapshot ?? {};
	if (!hasExecuted(activity)) return outcome;
	const { quiet, ...card } = outcome;
	const kept = receipts === undefined ? [] : [count(receipts.count, "receipt")];
	const facts = [...(quiet ? [outcome.title] : []), ...outcome.facts, ...kept];
	if (outcome.tone !== "ok") return { ...card, facts };
	// Sending the message again would repeat what the run did.
	const actions = withoutRetry(outcome);
	const title = undoneTitle(activity);
	if (title === undefined) return { ...card, facts, actions, ...(quiet && { title: activityWords.succeeded }) };
	return { ...card, tone: "mixed", title, facts, actions, ...stillSaid(outcome) };
}
