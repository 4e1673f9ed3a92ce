import type { RunStatus, Update } from "@xworkmate/contracts";
import type { EventText } from "../../ports/event-log.ts";
import type { LoggedEvent, RunEvent } from "../../ports/run-event.ts";
import type { RunFacts } from "../../ports/run-record.ts";

/** An event of a run, as it was decided or as it is stored. */
export type ShownEvent = LoggedEvent | EventText<RunStatus>;

/** How the text of everything that an agent says begins. The rest of it is the update, so it is never parsed to be shown. */
const SAID = '{"type":"said","update":';

/** What all updates of a run have in common, as the beginning of a JSON object. Pure. */
export function updateAddress({ sessionId, threadId, turnId, runId, artifactScope }: RunFacts): string {
	return JSON.stringify({ sessionId, threadId, turnId, runId, artifactScope }).slice(0, -1);
}

/** Converts one event to exactly one session.update, as JSON (docs/protocol.md#updates). Pure. */
export function sessionUpdate(address: string, logged: ShownEvent): string {
	return `${address},"seq":${logged.seq},"at":"${logged.at}","status":"${logged.status}","update":${updateText(logged)}}`;
}

function updateText(logged: ShownEvent): string {
	if (logged.text?.startsWith(SAID)) return logged.text.slice(SAID.length, -1);
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
