import { resolve } from "node:path";
import type { ToolCallId } from "@xworkmate/contracts";
import { areAbsent } from "@xworkmate/platform/files";
import type { ProviderUpdate } from "../../../ports/run-event.ts";
import { type CallFacts, otherPlace } from "../protocol/call-facts.ts";

/** Checks whether the files exist that an agent reports to have edited, because its report alone proves nothing. */
export class EditsFound {
	readonly #lacking = new Set<ToolCallId>();

	/** Adds to an update what was found. Never rejects: a file that cannot be checked counts as existing. */
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

/** True if the call names files at clear locations and none of them exists. */
async function isNowhere(facts: CallFacts, workingDirectory: string): Promise<boolean> {
	const { paths, isUnclear } = facts;
	if (isUnclear || paths.size === 0 || paths.has("") || otherPlace(facts, workingDirectory) !== undefined) return false;
	return areAbsent(paths.values().map((path) => resolve(workingDirectory, path)));
}
