import type { ToolCall } from "@xworkmate/contracts";
import { contradictionOf } from "@xworkmate/contracts/contradiction";
import { fill, words } from "../strings/interface.ts";

/** The maximum number of calls that a line names. */
const NAMED_CALLS = 5;
const order = ["still_there", "not_found", "untouched", "not_held"] as const;

/** A call as its agent reports it, with what its files show. */
export type ReportedCall = Pick<ToolCall, "title" | "state" | "notFound" | "untouched" | "notHeld" | "stillThere">;

/**
 * The edits and deletions that the agent reports as done but that the files contradict, grouped by what the files show. Of several calls
 * with the same title, the last one counts. The titles are the agent's: the caller makes hidden characters visible.
 */
export function contradictedCalls(calls: Iterable<ReportedCall>): readonly string[] {
	const last = new Map([...calls].map((call) => [call.title, call] as const));
	return order.flatMap((shown) => {
		const titles = [...last].flatMap(([title, call]) => (call.state === "completed" && contradictionOf(call) === shown ? [title] : []));
		return titles.length === 0 ? [] : [fill(words.outcome.contradicted[shown], { what: titles.slice(0, NAMED_CALLS).join(", ") })];
	});
}
