import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import type { OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";
import { bump, isWorking, settled } from "./decide-occurrence.ts";
import { hold } from "./held-action.ts";

/** The explanation on a message that was held after a restore. */
const RESTORED = {
	message: "A backup was restored, so XWorkmate can't tell whether this message was sent after the backup was made.",
	fix: "Check whether the message has arrived, then send it or discard it.",
};

/**
 * After a backup was restored, holds the messages that were unsent in the backup, because they may have been sent since. A message that
 * already needed a review keeps its reason and is marked, so that the user doesn't send it unaware. A message that failed, or was discarded
 * or cancelled, is marked too, because the user may have sent it again. The occurrence may be over. Each message gets its own event in the
 * plan's log. Empty if no message is affected.
 */
export function decideRestored({ occurrence, claims }: OpenOccurrence): readonly PlanEvent[] {
	const held = new Set<string>(occurrence.delivery.filter(mayLeave).map(({ actionId }) => actionId));
	const delivery = occurrence.delivery.map((action) => {
		if (held.has(action.actionId)) return { ...hold(action, "STORE_RESTORED"), ...RESTORED };
		return mustBeMarked(action, occurrence) ? { ...action, mayHaveBeenSent: true as const } : action;
	});
	const left = Object.fromEntries(Object.entries(claims).filter(([actionId]) => !held.has(actionId)));
	const changed = bump({ ...occurrence, delivery });
	// Work continues, and the messages that it produces wait for the user. If messages are only marked, the occurrence keeps its status and
	// its code.
	const next = isWorking(changed) || held.size === 0 ? changed : settled(changed);
	return delivery
		.filter((action) => !occurrence.delivery.includes(action))
		.map((action) => {
			// A failed message stays failed, and is not shown as waiting for a review.
			const kind = action.status === "failed" ? "task:delivery" : "task:review";
			return { body: { kind, occurrence: next, action }, claims: left };
		});
}

/** True if the message waits for another reason than a restore, or can be sent again, and does not say yet that it may have been sent. */
function mustBeMarked(action: DeliveryAction, occurrence: Occurrence): boolean {
	const { status, code, mayHaveBeenSent } = action;
	if (mayHaveBeenSent === true) return false;
	return (status === "needs_review" && code !== "STORE_RESTORED") || (status === "failed" && canBeSentAgain(action, occurrence));
}

/**
 * True if the user can send the message again, or send it after all if it was discarded or cancelled. False without a text, because there
 * is nothing to send.
 */
function canBeSentAgain(action: DeliveryAction, { deliverable }: Occurrence): boolean {
	const hasText = (action.content ?? deliverable) !== undefined;
	return hasText && action.code !== "NOTHING_TO_SAY" && !hasArrived(action);
}

function mayLeave({ status, stage }: DeliveryAction): boolean {
	return status === "pending" || (status === "sending" && stage === "claimed");
}
