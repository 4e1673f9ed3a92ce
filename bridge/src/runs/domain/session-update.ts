import type { SessionUpdate, Update } from "@xworkmate/contracts";
import type { LoggedEvent, RunEvent } from "../../ports/run-event.ts";
import type { RunFacts } from "../../ports/run-record.ts";

/** Converts one event to exactly one update (docs/protocol.md#updates). Pure. */
export function toSessionUpdate(record: RunFacts, logged: LoggedEvent): SessionUpdate {
	return {
		sessionId: record.sessionId,
		threadId: record.threadId,
		turnId: record.turnId,
		runId: record.runId,
		artifactScope: record.artifactScope,
		seq: logged.seq,
		at: logged.at,
		status: logged.status,
		update: toUpdate(logged.event),
	};
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
