import {
	BRIDGE_CHANGE,
	type ChangeNotice,
	PLAN_UPDATE,
	SESSION_HEARTBEAT,
	SESSION_UPDATE,
	type Timestamp,
	VERIFICATION_PROGRESS,
	type VerificationProgress,
} from "@xworkmate/contracts";
import { createJSONRPCNotification, type JSONRPCErrorResponse, type JSONRPCID, type JSONRPCResponse } from "json-rpc-2.0";
import { planUpdate } from "../../plans/domain/plan-update.ts";
import type { FedPlanEvent } from "../../ports/plans/plan-event.ts";
import type { FrameForm } from "../../ports/runs/run-frames.ts";
import { type ShownEvent, sessionUpdate, updateForm } from "../../runs/domain/session-update.ts";
import { encodeFrames, type Frames } from "../reply/frames.ts";

/** All readers receive the same array for a commit, so it is encoded once for all of them. */
const framesOfCommit = new WeakMap<readonly ShownEvent[], Frames>();

/** Events of one run as server-sent events. */
export function eventFrames(address: string, events: readonly ShownEvent[]): Frames {
	const known = framesOfCommit.get(events);
	if (known !== undefined) return known;
	const frames = encodeFrames(events.map((logged) => eventFrame(address, logged)).join(""));
	framesOfCommit.set(events, frames);
	return frames;
}

/** The text around the parts of an event's frame, for a store that assembles frames. */
export function frameForm(address: string): FrameForm {
	const form = updateForm(address);
	return { ...form, beforeId: "id: ", beforeSeq: `${NOTIFICATION}${form.beforeSeq}`, end: `${form.end}}\n\n` };
}

const NOTIFICATION = `\ndata: {"jsonrpc":"2.0","method":"${SESSION_UPDATE}","params":`;

function eventFrame(address: string, logged: ShownEvent): string {
	return `id: ${logged.seq}${NOTIFICATION}${sessionUpdate(address, logged)}}\n\n`;
}

/** Notices of what has changed at the bridge, each with its cursor as its id. */
export function changeFrames(notices: readonly ChangeNotice[]): Frames {
	return encodeFrames(notices.map(changeFrame).join(""));
}

function changeFrame(notice: ChangeNotice): string {
	return `id: ${notice.cursor}\ndata: ${JSON.stringify(createJSONRPCNotification(BRIDGE_CHANGE, notice))}\n\n`;
}

/** Events of plans, each with its feedSeq as its id. */
export function planFrames(events: readonly FedPlanEvent[]): Frames {
	const frame = (event: FedPlanEvent) =>
		`id: ${event.feedSeq}\ndata: ${JSON.stringify(createJSONRPCNotification(PLAN_UPDATE, planUpdate(event)))}\n\n`;
	return encodeFrames(events.map(frame).join(""));
}

/** A progress event. It has no id, because a stream of progress cannot be resumed. */
export function progressFrames(progress: VerificationProgress): Frames {
	return encodeFrames(`data: ${JSON.stringify(createJSONRPCNotification(VERIFICATION_PROGRESS, progress))}\n\n`);
}

/** The final event of a stream whose events have no ids. */
export function answerFrame(response: JSONRPCResponse): Buffer {
	return Buffer.from(`data: ${JSON.stringify(response)}\n\n`);
}

/** The final event: the response to the request, with its result as JSON. It has the id of the last event. */
export function resultFrame(lastSeq: number, id: JSONRPCID, result: string): Buffer {
	return finalFrame(lastSeq, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
}

/** The final event of a stream that failed. */
export function errorFrame(lastSeq: number, response: JSONRPCErrorResponse): Buffer {
	return finalFrame(lastSeq, JSON.stringify(response));
}

function finalFrame(lastSeq: number, response: string): Buffer {
	return Buffer.from(`id: ${lastSeq}\ndata: ${response}\n\n`);
}

/** A heartbeat. It has no id, so that it does not change a reader's position, and is an event, because parsers drop comments. */
export function heartbeatFrame(at: Timestamp): Frames {
	return encodeFrames(`data: ${JSON.stringify(createJSONRPCNotification(SESSION_HEARTBEAT, { at }))}\n\n`);
}
