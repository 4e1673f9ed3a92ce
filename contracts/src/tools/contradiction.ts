import type { Contradiction, ToolCall } from "./tool-call.ts";

type Findings = Pick<ToolCall, "notFound" | "untouched" | "notHeld" | "stillThere">;

/**
 * The result of inspecting the files of a reported call: what contradicts the report, or that nothing does. Undefined: the files were not
 * inspected. Pure; depends on types only, so the page can load it.
 */
export function foundAgainst({ notFound, untouched, notHeld, stillThere }: Findings): Contradiction | "none" | undefined {
	if (notFound === true) return "not_found";
	if (untouched === true) return "untouched";
	if (notHeld === true) return "not_held";
	if (stillThere === true) return "still_there";
	return [notFound, untouched, notHeld, stillThere].every((finding) => finding === undefined) ? undefined : "none";
}

/** What contradicts the report of a call; undefined if nothing is known to contradict it. */
export function contradictionOf(call: Findings): Contradiction | undefined {
	const found = foundAgainst(call);
	return found === "none" ? undefined : found;
}

const NAMED = 3;

/** The files that the bridge looked at for a reported call, on one line; undefined if it looked at none. */
export function examinedFiles({ examined = [] }: { readonly examined?: readonly string[] | undefined }): string | undefined {
	if (examined.length === 0) return undefined;
	const more = examined.length - NAMED;
	return `${examined.slice(0, NAMED).map(bounded).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A name in quotation marks if it begins or ends with white space, which would otherwise be invisible: "main.js " is not main.js. */
function bounded(name: string): string {
	return name.trim() === name ? name : `“${name}”`;
}
