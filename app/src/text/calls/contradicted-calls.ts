import type { ToolCall } from "@xworkmate/contracts";
import { contradictionOf, examinedFiles } from "@xworkmate/contracts/contradiction";
import { fill, words } from "../../strings/interface.ts";

/** The maximum number of calls that a line names. */
const NAMED_CALLS = 5;
const order = ["still_there", "not_found", "untouched", "not_held"] as const;

/** A call as its agent reports it, with what its files show. */
export type ReportedCall = Pick<
	ToolCall,
	"title" | "toolKind" | "state" | "examined" | "notFound" | "untouched" | "notHeld" | "stillThere"
>;

/**
 * The edits, deletions and moves that the agent reports as done but that the files contradict, grouped by what the files show. They are
 * named by the files that the bridge looked at, because the agent's titles may name others. If several calls of one kind have the same
 * name, the last one counts. The caller makes hidden characters visible.
 */
export function contradictedCalls(calls: Iterable<ReportedCall>): readonly string[] {
	const nameOf = (call: ReportedCall) => examinedFiles(call) ?? call.title;
	// The key includes the kind, because an edit to a file is unrelated to its deletion.
	const last = new Map([...calls].map((call) => [`${call.toolKind} ${nameOf(call)}`, call] as const));
	return order.flatMap((shown) => {
		const against = [...last.values()].filter((call) => call.state === "completed" && contradictionOf(call) === shown);
		const names = against.map(nameOf);
		return names.length === 0 ? [] : [fill(words.outcome.contradicted[shown], { what: names.slice(0, NAMED_CALLS).join(", ") })];
	});
}
