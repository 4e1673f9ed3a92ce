import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import type { AppApi } from "../../api/app-api.ts";

/** How many due times of a plan are searched. The bridge searches the same number to find out whether a message would be sent twice. */
const PAGE = 200;

/** The messages that repeat those of an occurrence and did not fail: the bridge refuses to resend a message that has such a repeat. */
export async function readResent(api: Pick<AppApi, "planOccurrences">, occurrence: Occurrence): Promise<readonly DeliveryAction[]> {
	const { planId, occurrenceId, delivery } = occurrence;
	if (!delivery.some(isUnsent)) return [];
	const { items } = await api.planOccurrences({ planId, limit: PAGE });
	return items.filter(({ resends }) => resends === occurrenceId).flatMap((later) => later.delivery.filter((action) => !isUnsent(action)));
}

/** Whether a message was not sent. A message that was recorded as not sent may have been delivered after all. */
export function isUnsent(action: DeliveryAction): boolean {
	return action.status === "failed" && !hasArrived(action);
}

/** True if one of the resent messages repeats this one. */
export function isResent({ channel, recipient, content }: DeliveryAction, resent: readonly DeliveryAction[]): boolean {
	return resent.some((later) => later.channel === channel && later.recipient === recipient && later.content === content);
}
