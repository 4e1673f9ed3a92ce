import { BRIDGE_CHANGE, Change, ChangeCursor } from "@xworkmate/contracts";
import type { EventSourceMessage } from "eventsource-parser";
import { z } from "zod";
import { unreadable } from "./bridge-errors.ts";
import { refusalOf } from "./rpc-answer.ts";

/** One change of the bridge. For a kind that this client does not know, `change` is absent: its cursor counts, but nothing is shown. */
export interface ChangeItem {
	readonly cursor: ChangeCursor;
	readonly change?: Change;
}

const Notification = z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.unknown() });
const Notice = z.looseObject({ cursor: ChangeCursor, change: z.unknown() });

/**
 * The changes in one batch of events.
 * @throws ContractError for an error of the bridge, BridgeTransportError for an unreadable event
 */
export function decodeChanges(events: readonly EventSourceMessage[]): readonly ChangeItem[] {
	return events.flatMap(({ data }) => {
		const payload = parse(data);
		const notification = Notification.safeParse(payload);
		if (!notification.success) throw refusalOf(payload);
		// A heartbeat, or a notification that only a newer bridge sends.
		if (notification.data.method !== BRIDGE_CHANGE) return [];
		const notice = Notice.safeParse(notification.data.params);
		if (!notice.success) throw unreadable("a change has no cursor", notice.error);
		const change = Change.safeParse(notice.data.change);
		return [{ cursor: notice.data.cursor, ...(change.success && { change: change.data }) }];
	});
}

function parse(data: string): unknown {
	try {
		return JSON.parse(data);
	} catch (error) {
		throw unreadable("an event is not JSON", error);
	}
}
