import type { Plan } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { openOccurrences } from "../../text/open-messages.ts";
import { oneLine } from "../../text/printable.ts";
import { messageName } from "./message-names.ts";

/** Only plans in these states can have a message that is being handed over: the state of a paused plan says nothing about its messages. */
const MAY_SEND: ReadonlySet<Plan["status"]> = new Set(["running", "needs_review", "paused"]);

/**
 * The messages that are being handed over to their channels while the bridge is asked to stop. The bridge gives each a few seconds; the
 * outcome of one that its channel has not confirmed by then is unknown. Empty if the messages can't be read, because the bridge is stopped
 * all the same.
 */
export async function handedOverLines(plans: readonly Plan[], read: AppApi["planOccurrences"]): Promise<readonly string[]> {
	const sending: string[] = [];
	try {
		for (const { planId, title, status } of plans) {
			if (!MAY_SEND.has(status)) continue;
			const open = await openOccurrences((cursor) => read({ planId, limit: 200, ...(cursor !== undefined && { cursor }) }));
			for (const { delivery } of open.items)
				for (const action of delivery)
					if (action.status === "sending" && action.stage === "handing_over")
						sending.push(`  ${oneLine(title, 80)}: ${messageName(action)} (${action.actionId})`);
		}
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
