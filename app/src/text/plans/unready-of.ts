import type { Channel, Plan } from "@xworkmate/contracts";
import { termsOf } from "./plan-terms.ts";

/** Whether a plan may still send messages that the user does not have to decide about. A paused plan may, once it is resumed. */
export function mayStillSend({ status, nextDueAt }: Pick<Plan, "status" | "nextDueAt">): boolean {
	return status === "pending" || status === "running" || status === "paused" || (status !== "deleted" && nextDueAt !== undefined);
}

/** The channels that a plan or its outgoing messages use and that are not ready; none if the plan won't send anything more. */
export function unreadyOf(
	plan: Pick<Plan, "status" | "nextDueAt" | "work" | "delivery" | "terms">,
	channels: readonly Channel[],
): readonly Channel[] {
	if (!mayStillSend(plan)) return [];
	const leaving = plan.delivery.filter(({ status }) => status === "pending" || status === "sending");
	const used = new Set([...termsOf(plan).delivery, ...leaving].map(({ channel }) => channel));
	return channels.filter(({ channel, ready }) => !ready && used.has(channel));
}
