import type { Activity } from "../activity/activity.ts";
import type { GroundingProblem } from "./answer.ts";
import { claimsOf } from "./claims.ts";

/**
 * The sentences of a text that claim an effect although the receipts show none, or show one that did not succeed. `delivered`: how many
 * files the run delivered, which are their own proof. Pure.
 */
export function checkClaims(text: string, activity: Activity | undefined, delivered: number): readonly GroundingProblem[] {
	const isWithoutAction = activity === undefined || activity.completed === 0;
	const { failed = 0, denied = 0, pending = 0, unknown = 0 } = activity?.counts ?? {};
	const isPartial = failed + denied + pending + unknown > 0;
	if ((isWithoutAction && delivered > 0 && !isPartial) || (!isWithoutAction && !isPartial)) return [];
	const code = isWithoutAction && !isPartial ? "CLAIM_WITHOUT_ACTION" : "CLAIM_WITHOUT_SUCCESS";
	return claimsOf(text).map(({ start, end }) => ({ code, start, end }));
}
