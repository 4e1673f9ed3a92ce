import {
	ArtifactScope,
	type MethodName,
	RunId,
	RunStatus,
	SESSION_HEARTBEAT,
	SESSION_UPDATE,
	Seq,
	SessionUpdate,
	type Snapshot,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import type { EventSourceMessage } from "eventsource-parser";
import { z } from "zod";
import { unreadable } from "./bridge-errors.ts";
import { decodeAnswer } from "./rpc-answer.ts";

/** Methods that may stream events and end with a snapshot. */
export type StreamMethod = Extract<MethodName, "session.start" | "session.message" | "xworkmate.tasks.subscribe">;

/** The position of an update. It is read before the kind, which this client may not know yet. */
export interface UpdatePlace {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly runId: RunId;
	readonly artifactScope: ArtifactScope;
	readonly seq: number;
	/** Absent if this client does not know the status. */
	readonly status?: RunStatus;
}

export type StreamItem =
	/** For a kind that this client does not know, `update` is absent: its seq counts, but nothing is shown. */
	| { readonly type: "update"; readonly place: UpdatePlace; readonly update?: SessionUpdate }
	| { readonly type: "heartbeat" }
	/** The JSON-RPC response. It ends the stream, but not necessarily the run. */
	| { readonly type: "answer"; readonly snapshot: Snapshot };

const Notification = z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.unknown() });
const Place = z.looseObject({
	threadId: ThreadId,
	turnId: TurnId,
	runId: RunId,
	artifactScope: ArtifactScope,
	seq: Seq,
	status: z.string(),
});

/** The items of a batch up to the answer, with the error that ends it, if any. Items before the error still count. */
export function decodeBatch(
	method: StreamMethod,
	requestId: string,
	events: readonly EventSourceMessage[],
): { readonly items: readonly StreamItem[]; readonly error?: unknown } {
	const items: StreamItem[] = [];
	try {
		for (const event of events) {
			const item = decodeEvent(method, requestId, event);
			if (item !== undefined) items.push(item);
			if (item?.type === "answer") break;
		}
		return { items };
	} catch (error) {
		return { items, error };
	}
}

/**
 * Decodes one event of a stream; undefined for a notification that this client does not know.
 * @throws ContractError for an error of the bridge, BridgeTransportError for an unreadable event
 */
function decodeEvent(method: StreamMethod, requestId: string, event: EventSourceMessage): StreamItem | undefined {
	const payload = parseData(event.data);
	const notification = Notification.safeParse(payload);
	if (!notification.success) return { type: "answer", snapshot: decodeAnswer(method, requestId, payload) };
	if (notification.data.method === SESSION_HEARTBEAT) return { type: "heartbeat" };
	if (notification.data.method !== SESSION_UPDATE) return undefined;
	return decodeUpdate(notification.data.params, event.id);
}

function decodeUpdate(params: unknown, eventId: string | undefined): StreamItem {
	const place = Place.safeParse(params);
	if (!place.success) throw unreadable("an update lacks its thread, turn, run or position", place.error);
	const { threadId, turnId, runId, artifactScope, seq } = place.data;
	if (eventId !== String(seq))
		throw unreadable(`update ${seq} arrived as ${eventId === undefined ? "an event without an id" : `event ${eventId}`}`);
	const status = RunStatus.safeParse(place.data.status);
	const update = SessionUpdate.safeParse(params);
	return {
		type: "update",
		place: { threadId, turnId, runId, artifactScope, seq, ...(status.success && { status: status.data }) },
		...(update.success && { update: update.data }),
	};
}

function parseData(data: string): unknown {
	try {
		return JSON.parse(data);
	} catch (error) {
		throw unreadable("an event is not JSON", error);
	}
}
