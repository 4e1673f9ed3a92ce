import { resolve } from "node:path";
import type { ToolCallId } from "@xworkmate/contracts";
import { areAbsent } from "@xworkmate/platform/files";
import type { ProviderUpdate } from "../../../ports/run-event.ts";
import { type CallFacts, otherPlace } from "../protocol/call-facts.ts";

/** Looks for the files of edits that an agent reports as done: that it says so does not make it so. */
export class EditsFound {
	readonly #lacking = new Set<ToolCallId>();

	/** The update, with what was found. Never rejects: a file that can't be looked for counts as there. */
	async look(update: ProviderUpdate, facts: CallFacts, workingDirectory: string): Promise<ProviderUpdate> {
		if (update.kind !== "tool_call" || update.toolKind !== "edit" || update.state !== "completed") return update;
		const { toolCallId } = update;
		if (await isNowhere(facts, workingDirectory)) {
			this.#lacking.add(toolCallId);
			return { ...update, notFound: true };
		}
		return this.#lacking.delete(toolCallId) ? { ...update, notFound: false } : update;
	}
}

/** The call names files, where they are is clear, and none of them exists. */
async function isNowhere(facts: CallFacts, workingDirectory: string): Promise<boolean> {
	const { paths, isUnclear } = facts;
	if (isUnclear || paths.size === 0 || paths.has("") || otherPlace(facts, workingDirectory) !== undefined) return false;
	return areAbsent(paths.values().map((path) => resolve(workingDirectory, path)));
}
