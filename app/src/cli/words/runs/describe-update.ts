import type { Preview, SessionUpdate, ToolCall, Update } from "@xworkmate/contracts";
import { contradictionOf } from "@xworkmate/contracts/contradiction";
import { count, words } from "../../../strings/interface.ts";
import {
	announcedWords,
	claimedWords,
	contradictedWords,
	noResultWord,
	reportedDoneWord,
	reportedWords,
	stageWords,
	toolStateWords,
	undoneWords,
	unpermittedWords,
} from "../../../strings/runs/states.ts";
import { namedCall, requestName } from "../../../text/calls/asked-view.ts";
import { containsLine, runReceiptLine, swappedLine } from "../../../text/calls/decision-line.ts";
import { isShownByFiles } from "../../../text/calls/shown-by-files.ts";
import { formatBytes } from "../../../text/format-measure.ts";
import { oneLine } from "../../../text/printable.ts";
import { lowerFirst } from "../lower-first.ts";
import { decisionWords } from "../requests/decision-words.ts";
import { automaticWords } from "../requests/grant-words.ts";

/** What earlier updates said about the same tool call. */
export interface EarlierUpdates {
	readonly output?: string | undefined;
	readonly input?: Preview | undefined;
	readonly wasAsked?: boolean;
	/** True if the last request for the call was answered, or ended without an answer, and the line about that has been printed. */
	readonly isAnswered?: boolean;
}

/**
 * One line about an update, or undefined for an update that is shown in another way (text) or not at all.
 * @param earlier the output and the input of the same tool call so far, and whether there was a request for the call
 */
export function describeUpdate({ update }: SessionUpdate, earlier: EarlierUpdates = {}): string | undefined {
	switch (update.kind) {
		case "status": {
			if (update.progress === undefined) return undefined;
			const { stage, queuePosition, queueLength, message } = update.progress;
			const place = queuePosition === undefined ? "" : ` (${queuePosition} of ${queueLength ?? queuePosition})`;
			return `${lowerFirst(stageWords[stage])}${place}${message === undefined ? "" : `: ${oneLine(message)}`}`;
		}
		case "tool_call":
			// Not shown, because the receipt that is recorded with this update says the same, and also whether the call certainly had no effect.
			// A built-in tool has no id, and no receipts.
			if (update.origin === "executed" && update.toolId !== undefined && update.state === "failed") return undefined;
			return describeTool(update, earlier);
		case "receipt":
			return describeReceipt(update);
		case "plan":
			return `plan: ${update.entries.filter((entry) => entry.state === "completed").length} of ${update.entries.length} steps ${reportedDoneWord}`;
		case "approval":
			return describeApproval(update);
		case "artifacts":
			if (update.count === 0 && update.rejected === 0) return undefined;
			return `${count(update.count, "file")}, ${formatBytes(update.totalBytes)}${refusedFiles(update.rejected)}`;
		case "notice":
			return `${update.level}: ${oneLine(update.message, 400)}`;
		case "message_delta":
		case "thought_delta":
		case "usage":
			return undefined;
		default:
			// Nothing is printed for `answer`, because the lines about the turn's end say how far receipts back the answer. A newer app may send
			// kinds that this command does not know.
			return undefined;
	}
}

/** How a call without permission ended. One that never ended is only said to be without permission when its run ends. */
const endWords: Readonly<Record<ToolCall["state"], string>> = {
	completed: reportedDoneWord,
	denied: reportedDoneWord,
	failed: toolStateWords.failed,
	pending: noResultWord,
	running: noResultWord,
};

/**
 * One line about a tool call, or undefined if it would only repeat how its request ended. If the call failed, the line includes the agent's
 * reason, if it gave one.
 */
function describeTool(call: Extract<Update, { kind: "tool_call" }>, earlier: EarlierUpdates): string | undefined {
	const { output: earlierOutput, input, wasAsked, isAnswered } = earlier;
	const { state, output, unpermitted, swapped, deniedCommand, origin } = call;
	const { name: called, toolKind } =
		origin === "executed" ? { name: call.title, toolKind: call.toolKind } : namedCall({ ...(input && { input }), ...call });
	const name = oneLine(called);
	const how = endWords[state];
	if (deniedCommand !== undefined) return `${name} (${how}, ${oneLine(containsLine(deniedCommand), 400)})`;
	if (unpermitted === "denied" || unpermitted === "found") return `${undoneWords.saidDenied} ${name} (${unpermittedWords[unpermitted]})`;
	if (unpermitted === "unanswered") return `${name} (${toolStateWords.completed}, ${unpermittedWords.unanswered})`;
	if (unpermitted === "another") {
		const both = swapped === undefined ? "" : `: ${oneLine(swappedLine(swapped), 700)}`;
		return `${name} (${how}, ${unpermittedWords.another}${both})`;
	}
	if (state === "denied") return `${origin === "executed" ? undoneWords.denied : undoneWords.saidDenied} ${name}`;
	const against = state === "completed" ? contradictionOf(call) : undefined;
	if (against !== undefined) return `${claimedWords[toolKind] ?? ""} ${name} (${contradictedWords[against]})`.trimStart();
	const isSaid = origin !== "executed" && reportedWords[toolKind] !== undefined && !isShownByFiles({ ...call, toolKind });
	if (state === "completed" && isSaid) return `${name} (${reportedDoneWord})`;
	// Not every agent reports that an allowed call has begun, so this update adds nothing to the answer to the call's request.
	if (state === "pending" && origin !== "executed" && isAnswered === true) return undefined;
	// A request for this call may follow, and a printed line can't be changed.
	if (state === "pending" && origin !== "executed" && wasAsked !== true) return `${announcedWords.word} ${name} (not reported as started)`;
	if (state !== "failed") return `${name} (${toolStateWords[state]})`;
	const reason = oneLine(output?.text ?? earlierOutput ?? "", 200);
	return reason === "" ? `${name} (failed, no reason given)` : `${name} (failed: ${reason})`;
}

/**
 * Words for a change of account, and for a call by the bridge that failed or may have. All other receipts are shown with the call or the
 * answer.
 */
function describeReceipt(receipt: Extract<Update, { kind: "receipt" }>): string | undefined {
	const { type, origin, toolId, outcome } = receipt;
	if (type === "auth.profile.rotated") return oneLine(runReceiptLine(receipt), 400);
	if (origin !== "executed" || (type !== "tool.call.failed" && type !== "tool.call.unknown")) return undefined;
	const reason = oneLine(outcome?.message ?? outcome?.code ?? "no reason given", 200);
	return `${toolId ?? "a tool"} (${type === "tool.call.failed" ? "failed" : "outcome unknown"}: ${reason})`;
}

function refusedFiles(count: number): string {
	return count === 0 ? "" : `, ${count} rejected`;
}

function decidedWords(approval: Extract<SessionUpdate["update"], { kind: "approval" }>): string {
	const automatic = automaticWords(approval);
	if (automatic !== undefined) return `${lowerFirst(words.ask.automatic)} (${automatic})`;
	const where = approval.decidedBy === "gateway" ? ` ${words.ask.onGateway}` : "";
	return `${decisionWords(approval)}${where}`;
}

function describeApproval(approval: Extract<SessionUpdate["update"], { kind: "approval" }>): string {
	const title = oneLine(requestName(approval));
	switch (approval.state) {
		case "pending":
			return `asks for approval: ${title}`;
		case "decided":
			return `${decidedWords(approval)}: ${title}`;
		case "expired":
		case "withdrawn":
			return `${decisionWords(approval)}: ${title}`;
	}
}
