import { omitUndefined, type PlanUpdate } from "@xworkmate/contracts";
import type { FedPlanEvent } from "../../ports/plans/plan-event.ts";

/** An event as readers see it: without the parts that only the bridge needs. */
export function planUpdate({ planId, seq, feedSeq, at, status, event: { body } }: FedPlanEvent): PlanUpdate {
	const occurrenceId = "occurrence" in body ? body.occurrence.occurrenceId : undefined;
	return { planId, ...omitUndefined({ occurrenceId }), seq, feedSeq, at, status, update: body };
}
