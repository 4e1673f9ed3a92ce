import type { OpenClawResult } from "@xworkmate/contracts";
import { PluginError } from "../platform/plugin-error.ts";
import { removeScope } from "../runs/remove-scope.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import type { CheckedParams } from "./handlers.ts";

/**
 * Forgets a run that was prepared but never began, and removes its folder.
 * @throws PluginError RUN_UNKNOWN, SCOPE_MISMATCH, RUN_BEGUN, SCOPE_BLOCKED, INTERNAL
 */
export function releasePreparedRun(
	params: CheckedParams<"xworkmate.session.release">,
	{ registry }: { readonly registry: RunRegistry },
): OpenClawResult<"xworkmate.session.release"> {
	const record = registry.require(params);
	if (!neverBegan(record)) throw new PluginError("RUN_BEGUN", `the run is ${record.state}: only a run that never began can be released`);
	// The folder is removed first: if the call is interrupted afterwards, a repeat still finds the record.
	removeScope(record);
	registry.release(record);
	return { released: true };
}

/** True also for a run that was stopped, or interrupted when the gateway stopped, before it began. */
function neverBegan({ state, startedAt }: RunRecord): boolean {
	return startedAt === undefined && (state === "prepared" || state === "cancelled" || state === "lost");
}
