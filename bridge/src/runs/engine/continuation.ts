import type { Provider } from "../../ports/agents/provider.ts";
import type { Suspicion } from "../domain/attempts.ts";
import type { RunState } from "../domain/run-state.ts";
import type { LostRun } from "./interrupt-runs.ts";
import type { LiveRun } from "./live-run.ts";

/**
 * How to continue a run that was executing when its bridge ended. `seal`: its provider had ended. `take_up`: its turn continued without the
 * bridge. `program`: its program is run again from its record. `start_again`: nothing had reached its provider.
 */
export type Continuation = "seal" | "take_up" | "program" | "start_again";

/** Decides how a run continues. Undefined: the run cannot continue, and its outcome is unknown. */
export function continuationOf(
	{ runId, state }: LiveRun,
	provider: Provider | undefined,
	{ suspects }: Suspicion,
): Continuation | undefined {
	if (state.providerOutcome !== undefined) return "seal";
	if (provider === undefined) return undefined;
	if (provider.resumable === true) return "take_up";
	if (goesOn(provider, state)) return "program";
	// Nothing reached the provider if the previous bridge's attempt is open and the log does not say that the turn was handed over.
	return suspects.has(runId) && !state.handedOver && provider.handsOver === true ? "start_again" : undefined;
}

/** True if a program can continue from its record. A program that has called no integration may have no record. */
export function goesOn({ durable }: Provider, { trail, handedOver }: RunState): boolean {
	return durable === "always" ? handedOver || trail !== undefined : durable === "once_acted" && trail !== undefined;
}

/** Finds the runs that cannot continue, and says why. */
export function lostRuns(
	found: readonly LiveRun[],
	providerOf: (run: LiveRun) => Provider | undefined,
	suspicion: Suspicion,
): readonly LostRun[] {
	return found.flatMap((run): LostRun[] => {
		if (suspicion.poisoned.has(run.runId)) return [{ run, code: "POISONED" }];
		return continuationOf(run, providerOf(run), suspicion) === undefined ? [{ run, code: "BRIDGE_RESTARTED" }] : [];
	});
}
