import type { RunStatus, Update } from "@xworkmate/contracts";
import type { EventText } from "../../ports/event-log.ts";
import type { LoggedEvent, RunEvent } from "../../ports/runs/run-event.ts";
import { type FrameForm, shownUnparsed } from "../../ports/runs/run-frames.ts";
import type { RunFacts } from "../../ports/runs/run-record.ts";

/** An event of a run, either just decided or read from the store. */
export type ShownEvent = LoggedEvent | EventText<RunStatus>;

/** The fields that all updates of a run share, as the beginning of a JSON object. Pure. */
export function updateAddress({ sessionId, threadId, turnId, runId, artifactScope }: RunFacts): string {
	return JSON.stringify({ sessionId, threadId, turnId, runId, artifactScope }).slice(0, -1);
}

/** The text around the parts of a session.update, as JSON. Pure. */
export function updateForm(address: string): Omit<FrameForm, "beforeId"> {
	return { beforeSeq: `${address},"seq":`, beforeAt: ',"at":"', beforeStatus: '","status":"', beforeUpdate: '","update":', end: "}" };
}

/** Converts one event to exactly one session.update, as JSON (docs/protocol.md#updates). Pure. */
export function sessionUpdate(address: string, logged: ShownEvent): string {
	return `${address},"seq":${logged.seq},"at":"${logged.at}","status":"${logged.status}","update":${updateText(logged)}}`;
}

function updateText(logged: ShownEvent): string {
	const { text } = logged;
	const unparsed = text === undefined ? undefined : shownUnparsed.find(({ stored }) => text.startsWith(stored));
	if (text !== undefined && unparsed !== undefined) return `${unparsed.shown}${text.slice(unparsed.stored.length, -1)}`;
	return JSON.stringify(toUpdate("event" in logged ? logged.event : JSON.parse(logged.text)));
}

function toUpdate(event: RunEvent): Update {
	switch (event.type) {
		case "accepted":
			return { kind: "status", progress: { stage: "queued" } };
		case "queue_moved":
			return { kind: "status", progress: { stage: "queued", queuePosition: event.position, queueLength: event.length } };
		case "started":
			return { kind: "status", progress: { stage: "starting" } };
		case "progress":
			return { kind: "status", progress: event.progress };
		case "said":
			return event.update;
		case "approval":
			return { kind: "approval", ...event.record };
		case "receipt":
			return { kind: "receipt", ...event.receipt };
		case "answered": {
			const { type: _type, ...checked } = event;
			return { kind: "answer", ...checked };
		}
		case "cancel_requested":
			return { kind: "status", progress: { stage: "stopping" } };
		case "provider_ended":
			return { kind: "status", progress: { stage: "collecting" } };
		case "collected":
			return toArtifactsUpdate(event);
		case "deadline_moved":
		case "ended":
			return { kind: "status" };
	}
}

function toArtifactsUpdate({ artifacts }: Extract<RunEvent, { type: "collected" }>): Update {
	return { kind: "artifacts", count: artifacts.count, totalBytes: artifacts.totalBytes, rejected: artifacts.rejectedCount };
}
