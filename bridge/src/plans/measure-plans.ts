import { ChannelId, type Occurrence, type Receipt } from "@xworkmate/contracts";
import type { FedPlanEvent } from "../ports/plans/plan-event.ts";
import { deliveryEnds, type PlanMeasures } from "../ports/plans/plan-measures.ts";

/** Measures one commit: counts each outcome of a message, according to its receipt, and measures how late a scheduled occurrence began. */
export function measurePlans(events: readonly FedPlanEvent[], measures: PlanMeasures): void {
	for (const { at, event } of events) {
		const { body } = event;
		if (body.kind === "receipt") measureEnd(body.receipt, measures);
		else if (body.kind === "task:occurrence" && body.runId === undefined && event.decided === undefined && hasBegun(body.occurrence))
			measures.began(Math.max(Date.parse(at) - Date.parse(body.occurrence.dueAt), 0) / 1_000);
	}
}

/**
 * True for the change right after the one that made the occurrence. The event that adds its run's id has the same revision, but the caller
 * skips it. So has one that says why there is no run yet.
 */
function hasBegun({ kind, status, revision, runs }: Occurrence): boolean {
	if (runs.at(-1)?.waits !== undefined) return false;
	return kind === "scheduled" && revision === 2 && (status === "running" || status === "delivering" || status === "completed");
}

function measureEnd({ type, detail }: Receipt, measures: PlanMeasures): void {
	if (!type.startsWith("delivery.")) return;
	const channel = ChannelId.safeParse(detail?.["channel"]);
	const status = detail?.["status"];
	const end = deliveryEnds.find((one) => one === status);
	if (channel.success && end !== undefined) measures.delivered(channel.data, end);
}
