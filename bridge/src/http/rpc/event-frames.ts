import { BRIDGE_CHANGE, type ChangeNotice, SESSION_HEARTBEAT, SESSION_UPDATE, type Timestamp } from "@xworkmate/contracts";
import { createJSONRPCNotification, type JSONRPCResponse } from "json-rpc-2.0";
import type { LoggedEvent } from "../../ports/run-event.ts";
import type { RunFacts } from "../../ports/run-record.ts";
import { toSessionUpdate } from "../../runs/domain/session-update.ts";

/** All readers receive the same array for a commit, so it is serialized once for all of them. */
const framesOfCommit = new WeakMap<readonly LoggedEvent[], Buffer>();

/** Events of one run as server-sent events, in one buffer. */
export function eventFrames(record: RunFacts, events: readonly LoggedEvent[]): Buffer {
	const known = framesOfCommit.get(events);
	if (known !== undefined) return known;
	const frames = Buffer.from(events.map((logged) => eventFrame(record, logged)).join(""));
	framesOfCommit.set(events, frames);
	return frames;
}

function eventFrame(record: RunFacts, logged: LoggedEvent): string {
	const notification = createJSONRPCNotification(SESSION_UPDATE, toSessionUpdate(record, logged));
	return `id: ${logged.seq}\ndata: ${JSON.stringify(notification)}\n\n`;
}

/** One change of the bridge, under its cursor. */
export function changeFrame(notice: ChangeNotice): string {
	return `id: ${notice.cursor}\ndata: ${JSON.stringify(createJSONRPCNotification(BRIDGE_CHANGE, notice))}\n\n`;
}

/** The final event: the response to the request, with the last seq once more. */
export function responseFrame(lastSeq: number, response: JSONRPCResponse): Buffer {
	return Buffer.from(`id: ${lastSeq}\ndata: ${JSON.stringify(response)}\n\n`);
}

/** Without an id, so that it does not change a reader's position; an event rather than a comment, because parsers drop comments. */
export function heartbeatFrame(at: Timestamp): Buffer {
	return Buffer.from(`data: ${JSON.stringify(createJSONRPCNotification(SESSION_HEARTBEAT, { at }))}\n\n`);
}
