import { LISTED_EDITS, type RunEdits } from "@xworkmate/contracts";
import { compare } from "../git/compare.ts";
import type { Look } from "../git/look.ts";
import type { OpenEdits } from "./edit-homes.ts";

/** What changed during a run, to be recorded with its end; undefined if nothing did. */
export async function editsBetween({ own, state: { place, directory } }: OpenEdits, began: Look, end: Look): Promise<RunEdits | undefined> {
	const edits = await compare(own, began, end, directory);
	if (edits.length === 0) return undefined;
	const files = edits.slice(0, LISTED_EDITS).map(({ edit: { path, status } }) => ({ path, status }));
	return { place, directory, files, total: edits.length };
}
