import { contradictionOf } from "@xworkmate/contracts/contradiction";
import { fill, words } from "../../strings/interface.ts";
import { visibleName } from "../text/visible-text.ts";
import type { TurnView } from "./turn-view.ts";

/** How many calls a fact names. */
const NAMED_CALLS = 5;
const order = ["still_there", "not_found", "untouched", "not_held"] as const;

/**
 * The edits and deletions that the agent reports as done but that the files contradict, grouped by what the files show. Of several calls
 * with the same title, the last one counts.
 */
export function contradictedIn({ items }: TurnView): readonly string[] {
	const last = new Map(items.flatMap((item) => (item.kind === "tool" ? [[item.call.title, item.call] as const] : [])));
	return order.flatMap((shown) => {
		const titles = [...last].flatMap(([title, call]) =>
			call.state === "completed" && contradictionOf(call) === shown ? [visibleName(title)] : [],
		);
		return titles.length === 0 ? [] : [fill(words.outcome.contradicted[shown], { what: titles.slice(0, NAMED_CALLS).join(", ") })];
	});
}
