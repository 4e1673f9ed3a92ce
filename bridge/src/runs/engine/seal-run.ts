import { omitUndefined } from "@xworkmate/contracts";
import type { Conclusion } from "../domain/conclude.ts";
import type { CollectionResult } from "./files/collection.ts";
import type { LiveRun } from "./live-run.ts";

/** Ends a run whose provider has ended: what was collected, the terminal event and the snapshot are one commit. */
export function sealRun(run: LiveRun, { items, summary, breach }: CollectionResult, loss?: Conclusion["loss"]): Promise<void> {
	const found = summary.count + summary.rejectedCount;
	if (found > 0 || breach !== undefined || loss !== undefined || !hasAnswered(run)) {
		run.dispatch({ type: "accept_artifacts", artifacts: summary });
		run.dispatch({ type: "show_progress", progress: { stage: "sealing" } });
		run.accept(items);
	}
	run.dispatch({ type: "conclude", provider: run.record.provider, ...omitUndefined({ breach, loss }) });
	return run.durable();
}

/** A turn that only answered has no files to tell of (docs/protocol.md#updates). */
function hasAnswered({ state }: LiveRun): boolean {
	return state.providerOutcome?.kind === "ended" && state.answer !== undefined;
}
