import type { Occurrence, Plan } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { openOccurrences } from "../../text/plans/open-messages.ts";
import { oneLine } from "../../text/printable.ts";
import { messageName } from "../plans/message-names.ts";

/**
 * The states of plans that can have a message that is being handed over: such a plan is running, unless it was paused. Deleted plans can
 * also have one.
 */
const MAY_SEND: ReadonlySet<Plan["status"]> = new Set(["running", "paused"]);

/**
 * The messages that are being handed over to their channels while the bridge is asked to stop. The bridge gives each message a few seconds.
 * If the channel has not confirmed a message by then, the outcome is unknown. Empty if the messages can't be read, because the bridge is
 * stopped in any case.
 */
export async function handedOverLines(plans: readonly Plan[], read: AppApi["planOccurrences"]): Promise<readonly string[]> {
	const sending: string[] = [];
	try {
		for (const plan of plans)
			for (const { delivery } of await sendingOccurrences(plan, read))
				for (const action of delivery)
					if (action.status === "sending" && action.stage === "handing_over")
						sending.push(`  ${oneLine(plan.title, 80)}: ${messageName(action)} (${action.actionId})`);
	} catch {
		return [];
	}
	if (sending.length === 0) return [];
	const lead =
		sending.length === 1
			? "1 message is being handed over. If its channel doesn't confirm it within a few seconds, XWorkmate may not learn whether it was sent:"
			: `${sending.length} messages are being handed over. If a channel doesn't confirm a message within a few seconds, XWorkmate may not learn whether that message was sent:`;
	return [lead, ...sending];
}

/**
 * The due times of a plan that may have a message that is being handed over. For a deleted plan, only the newest, which the list of plans
 * contains: reading each of many deleted plans would take long, and an older due time is rarely still sending.
 */
async function sendingOccurrences({ planId, status, occurrence }: Plan, read: AppApi["planOccurrences"]): Promise<readonly Occurrence[]> {
	if (status === "deleted") return occurrence === undefined ? [] : [occurrence];
	if (!MAY_SEND.has(status)) return [];
	return (await openOccurrences((cursor) => read({ planId, limit: 200, ...(cursor !== undefined && { cursor }) }))).items;
}
