import type { Activity } from "@xworkmate/contracts";
import { fill, words } from "../../strings/interface.ts";

/** The maximum number of calls that a line names. */
const NAMED_CALLS = 5;
const order = ["still_there", "not_found", "untouched", "not_held"] as const;

/**
 * The edits, deletions and moves that the agent reports as done but that the files contradict, grouped by what the files show. If several
 * calls of one kind have the same name, the last one counts. The caller makes hidden characters visible.
 */
export function contradictedCalls(activity: Pick<Activity, "items"> | undefined): readonly string[] {
	// The key includes the kind, because an edit to a file is unrelated to its deletion.
	const last = new Map(activity?.items.map((item) => [`${item.toolId} ${item.words}`, item] as const));
	return order.flatMap((shown) => {
		const names = [...last.values()].filter(({ contradiction }) => contradiction === shown).map((item) => item.words);
		return names.length === 0 ? [] : [fill(words.outcome.contradicted[shown], { what: names.slice(0, NAMED_CALLS).join(", ") })];
	});
}
