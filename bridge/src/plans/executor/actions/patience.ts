import type { Timestamp } from "@xworkmate/contracts";
import type { PlanState } from "../../../ports/plans/plan-event.ts";
import type { Patience } from "../../domain/decide-delivery.ts";
import { isDue } from "../../domain/plan-state.ts";
import type { ExecutorParts } from "../executor-parts.ts";

/**
 * How long a message may be retried: until the plan's next time, or until the message is too old, whichever comes first. `since`: when the
 * message was first on its way; now if absent.
 */
export function patienceOf({ clock, limits }: Pick<ExecutorParts, "clock" | "limits">, state: PlanState, since?: Timestamp): Patience {
	const now = clock.now();
	const nextDueAt = isDue(state) && state.nextDueAt !== undefined ? Date.parse(state.nextDueAt) : Number.POSITIVE_INFINITY;
	const tooOldAt = (since === undefined ? now : Date.parse(since)) + limits.deliverWithinMs;
	return {
		now,
		until: Math.min(tooOldAt, nextDueAt),
		most: limits.attempts,
		firstMs: limits.firstRetryMs,
		mostMs: limits.longestRetryMs,
		confirmMs: limits.confirmMs,
	};
}
