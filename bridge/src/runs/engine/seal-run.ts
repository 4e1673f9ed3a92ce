import { omitUndefined } from "@xworkmate/contracts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { PreparedWorkspace } from "../../ports/runs/run-workspace.ts";
import type { Conclusion } from "../domain/conclude.ts";
import { claimedFiles } from "../domain/unverified-claims.ts";
import { answererOf } from "./answerer-of.ts";
import type { Collection, CollectionResult } from "./files/collection.ts";
import type { LiveRun } from "./live-run.ts";

/**
 * Ends a run whose provider has ended. The collected files, the terminal event and the snapshot are written in one commit. Files that the
 * answer claims to have made or removed, and that were not delivered, are looked for where the run worked.
 */
export async function sealRun(
	run: LiveRun,
	{ items, summary, breach }: CollectionResult,
	collection: Pick<Collection, "look">,
	workspace: PreparedWorkspace,
	provider: Provider | undefined,
	{ edits, loss }: { readonly [Name in "edits" | "loss"]?: Conclusion[Name] | undefined } = {},
): Promise<void> {
	const claimed = claimedFiles(run.state, run.record.provider, provider?.own);
	const filesFound = claimed.length === 0 ? undefined : await collection.look(run, workspace, { delivered: items, edits }, claimed);
	const found = summary.count + summary.rejectedCount;
	if (found > 0 || breach !== undefined || loss !== undefined || !hasAnswered(run)) {
		run.dispatch({ type: "accept_artifacts", artifacts: summary });
		run.dispatch({ type: "show_progress", progress: { stage: "sealing" } });
		run.accept(items);
	}
	run.dispatch({ type: "conclude", ...answererOf(run.record, provider), ...omitUndefined({ breach, loss, filesFound, edits }) });
	return run.durable();
}

/** True for a turn that ended with an answer. If such a turn has no files, none are reported (docs/protocol.md#updates). */
function hasAnswered({ state }: LiveRun): boolean {
	return state.providerOutcome?.kind === "ended" && state.answer !== undefined;
}
