import type { Occurrence } from "@xworkmate/contracts";
import type { PlanState } from "../../ports/plans/plan-event.ts";
import { numberOf } from "../domain/plan-state.ts";

/**
 * True if an occurrence may begin. A scheduled one waits until each earlier one, other than a resend, is over or waits for the user; one
 * that the user requested begins at once. Pure.
 */
export function mayBegin({ open }: Pick<PlanState, "open">, occurrence: Occurrence): boolean {
	if (occurrence.kind !== "scheduled") return true;
	return !open.some(
		({ occurrence: other }) => other.kind !== "resend" && other.status !== "needs_review" && numberOf(other) < numberOf(occurrence),
	);
}
