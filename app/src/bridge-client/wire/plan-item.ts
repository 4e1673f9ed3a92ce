import { PLAN_UPDATE, PlanId } from "@xworkmate/contracts";
import type { EventSourceMessage } from "eventsource-parser";
import { z } from "zod";
import { unreadable } from "./bridge-errors.ts";
import { refusalOf } from "./rpc-answer.ts";

/**
 * An update of a plan. Its content is not decoded, because the app reads the plan again, so kinds that only a newer bridge sends are not
 * errors here.
 */
export interface PlanItem {
	readonly planId: PlanId;
	readonly feedSeq: number;
	/** True if the update put a message into the inbox. */
	readonly toInbox: boolean;
}

const Notification = z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.unknown() });
const Notice = z.looseObject({ planId: PlanId, feedSeq: z.int().min(1), update: z.looseObject({ kind: z.string() }) });
const Completed = z.looseObject({
	kind: z.literal("task:delivery_complete"),
	action: z.looseObject({ channel: z.literal("dashboard") }),
});

/**
 * The updates of plans in one batch of events.
 * @throws ContractError for an error of the bridge, BridgeTransportError for an unreadable event
 */
export function decodePlanItems(events: readonly EventSourceMessage[]): readonly PlanItem[] {
	return events.flatMap(({ data }) => {
		const payload = parse(data);
		const notification = Notification.safeParse(payload);
		if (!notification.success) throw refusalOf(payload);
		// A heartbeat, or a notification that only a newer bridge sends.
		if (notification.data.method !== PLAN_UPDATE) return [];
		const notice = Notice.safeParse(notification.data.params);
		if (!notice.success) throw unreadable("a plan update lacks its plan or position", notice.error);
		const { planId, feedSeq, update } = notice.data;
		return [{ planId, feedSeq, toInbox: Completed.safeParse(update).success }];
	});
}

function parse(data: string): unknown {
	try {
		return JSON.parse(data);
	} catch (error) {
		throw unreadable("an event is not JSON", error);
	}
}
