import type { DeliveryAction } from "@xworkmate/contracts";
import type { OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";
import { changed, isWorking, settled } from "./decide-occurrence.ts";
import { hold } from "./held-action.ts";

/** The explanation on a message that was held after a restore. */
const RESTORED = {
	message: "A backup was restored, so XWorkmate can't tell whether this message was sent after the backup was made.",
	fix: "Check whether the message has arrived, then send it or discard it.",
};

/**
 * After a backup was restored, holds the messages that were unsent in the backup, because they may have been sent since. Empty: there were
 * none.
 */
export function decideRestored(open: OpenOccurrence): readonly PlanEvent[] {
	const { occurrence, claims } = open;
	const held = new Set<string>(occurrence.delivery.filter(mayLeave).map(({ actionId }) => actionId));
	if (held.size === 0) return [];
	const delivery = occurrence.delivery.map((action) =>
		held.has(action.actionId) ? { ...hold(action, "STORE_RESTORED"), ...RESTORED } : action,
	);
	const left = Object.fromEntries(Object.entries(claims).filter(([actionId]) => !held.has(actionId)));
	const next = { ...occurrence, delivery };
	// Work continues, and the messages that it produces wait.
	return changed(open, isWorking(next) ? next : settled(next), "task:review", left);
}

function mayLeave({ status, stage }: DeliveryAction): boolean {
	return status === "pending" || (status === "sending" && stage === "claimed");
}
