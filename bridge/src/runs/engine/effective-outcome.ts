import { formatBytes } from "@xworkmate/contracts";
import type { ProviderOutcome } from "../../ports/runs/run-event.ts";
import type { RunState } from "../domain/run-state.ts";

/** Why a turn is being stopped. */
export type StopReason = "cancel" | "deadline" | "shutdown" | "log_limit";

/**
 * The reason to keep when another one is added. The first reason is kept, except that a deadline or a shutdown replaces a cancel, because
 * either of them says why the bridge no longer waits for the cancel to be confirmed. The cancel itself is in the log.
 */
export function stopReason(earlier: StopReason | undefined, later: StopReason): StopReason {
	const isReplaced = earlier === "cancel" && (later === "deadline" || later === "shutdown");
	return earlier === undefined || isReplaced ? later : earlier;
}

/** Why the bridge no longer waits for a turn that has not ended. A request to stop a turn also moves up its deadline. */
export function interruption(reason: StopReason | undefined, { cancelRequestedAt }: Pick<RunState, "cancelRequestedAt">) {
	if (reason === "shutdown")
		return { code: "BRIDGE_STOPPED", message: "The bridge was stopped while the run was executing; its outcome is unknown." } as const;
	const why = cancelRequestedAt === undefined ? "The run timed out" : "The run was asked to stop, but this was not confirmed in time";
	return { code: "DEADLINE_EXCEEDED", message: `${why}; its outcome is unknown.` } as const;
}

/** The effective outcome of a turn, given why it was stopped. Undefined: the outcome is unknown. */
export function effectiveOutcome(
	outcome: ProviderOutcome | "abandoned",
	reason: StopReason | undefined,
	{ cancelRequestedAt }: RunState,
	runLogBytes: number,
): ProviderOutcome | undefined {
	if (reason === "log_limit") {
		const message = `The run's output exceeds the size limit of its log (${formatBytes(runLogBytes)}).`;
		return { kind: "failed", code: "LIMIT_EXCEEDED", message };
	}
	if (outcome === "abandoned") return undefined;
	if (outcome.kind === "ended" || outcome.kind === "lost") return outcome;
	if (cancelRequestedAt !== undefined) return outcome.kind === "cancelled" ? outcome : { kind: "cancelled", remote: false };
	return reason === "deadline" || reason === "shutdown" ? undefined : outcome;
}
