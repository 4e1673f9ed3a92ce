import type { ProgressStage, SessionUpdate } from "@xworkmate/contracts";
import { byteSize } from "./duration.ts";
import { automaticWords } from "./grant-words.ts";
import { oneLine } from "./printable.ts";

const stageWords: Readonly<Record<ProgressStage, string>> = {
	queued: "waiting in the queue",
	starting: "starting",
	working: "working",
	waiting_approval: "waiting for you",
	collecting: "collecting files",
	exporting: "exporting files",
	sealing: "checking files",
	stopping: "stopping, not confirmed yet",
};

/** One line about an update for a person, or undefined for what is shown otherwise (text) or not at all. */
export function describeUpdate({ update }: SessionUpdate): string | undefined {
	switch (update.kind) {
		case "status": {
			if (update.progress === undefined) return undefined;
			const { stage, queuePosition, queueLength, message } = update.progress;
			const place = queuePosition === undefined ? "" : ` (${queuePosition} of ${queueLength ?? queuePosition})`;
			return `${stageWords[stage]}${place}${message === undefined ? "" : `: ${oneLine(message)}`}`;
		}
		case "tool_call":
			return `${oneLine(update.title)} (${update.state})`;
		case "plan":
			return `plan: ${update.entries.filter((entry) => entry.state === "completed").length} of ${update.entries.length} steps`;
		case "approval":
			return describeApproval(update);
		case "artifacts":
			if (update.count === 0 && update.rejected === 0) return undefined;
			return `${update.count} ${update.count === 1 ? "file" : "files"}, ${byteSize(update.totalBytes)}${refusedFiles(update.rejected)}`;
		case "notice":
			return `${update.level}: ${oneLine(update.message, 400)}`;
		case "message_delta":
		case "thought_delta":
		case "usage":
			return undefined;
		default:
			// A newer bridge may say more than this app knows; it is counted by its seq and not shown.
			return undefined;
	}
}

function refusedFiles(count: number): string {
	return count === 0 ? "" : `, ${count} not accepted`;
}

function decidedWords(approval: Extract<SessionUpdate["update"], { kind: "approval" }>): string {
	const automatic = automaticWords(approval);
	if (automatic !== undefined) return `allowed automatically (${automatic})`;
	return approval.decision === "deny" ? "denied" : "allowed";
}

function describeApproval(approval: Extract<SessionUpdate["update"], { kind: "approval" }>): string {
	const title = oneLine(approval.title);
	switch (approval.state) {
		case "pending":
			return `asks for permission: ${title}`;
		case "decided":
			return `${decidedWords(approval)}: ${title}`;
		case "expired":
			return `expired, denied automatically: ${title}`;
		case "withdrawn":
			return `no longer needed, the run ended: ${title}`;
	}
}
