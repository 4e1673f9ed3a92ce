import { resolve } from "node:path";
import type { ToolCallId } from "@xworkmate/contracts";
import { areAbsent, isPresent } from "@xworkmate/platform/files";
import type { ProviderUpdate } from "../../../ports/run-event.ts";
import { type CallFacts, otherPlace } from "../protocol/call-facts.ts";

/** Looks for the files of edits and deletions that an agent reports as done: that it says so does not make it so. */
export class EditsFound {
	readonly #lacking = new Set<ToolCallId>();

	/** The update, with what was found. Never rejects: a file that can't be looked for counts as what the agent says of it. */
	async look(update: ProviderUpdate, facts: CallFacts, workingDirectory: string): Promise<ProviderUpdate> {
		if (update.kind !== "tool_call" || update.state !== "completed") return update;
		const { toolCallId, toolKind } = update;
		if (toolKind === "delete") {
			const stillThere = await isLeft(facts, workingDirectory);
			return stillThere === undefined ? update : { ...update, stillThere };
		}
		if (toolKind !== "edit") return update;
		if (await isNowhere(facts, workingDirectory)) {
			this.#lacking.add(toolCallId);
			return { ...update, notFound: true };
		}
		return this.#lacking.delete(toolCallId) ? { ...update, notFound: false } : update;
	}
}

/** The call names files, and where they are is clear. */
function placesOf(facts: CallFacts, workingDirectory: string): readonly string[] | undefined {
	const { paths, isUnclear } = facts;
	if (isUnclear || paths.size === 0 || paths.has("") || otherPlace(facts, workingDirectory) !== undefined) return undefined;
	return [...paths].map((path) => resolve(workingDirectory, path));
}

/** None of the files exists. */
async function isNowhere(facts: CallFacts, workingDirectory: string): Promise<boolean> {
	const places = placesOf(facts, workingDirectory);
	return places !== undefined && (await areAbsent(places));
}

/** One of the files is still there; undefined: where they were is not clear, or can't be looked at. */
async function isLeft(facts: CallFacts, workingDirectory: string): Promise<boolean | undefined> {
	const places = placesOf(facts, workingDirectory);
	if (places === undefined) return undefined;
	for (const place of places) if (await isPresent(place)) return true;
	return (await areAbsent(places)) ? false : undefined;
}
