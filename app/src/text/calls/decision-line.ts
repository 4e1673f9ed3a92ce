import type { DenyReason, Receipt, ReceiptDecision, ReceiptOrigin, SwappedCommand } from "@xworkmate/contracts";
import { contradictionBy, deniedCommandBy, swappedBy, unpermittedBy } from "@xworkmate/contracts/unpermitted";
import {
	activityWords,
	callEndWords,
	checkedWords,
	contradictionLines,
	decisionWords,
	deniedLate,
	denyWords,
	receiptWords,
	riskWords,
	switchWords,
	unpermittedLines,
} from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";

/** A decision as it is recorded in a receipt or an approval. Only a denial has a `reason`. */
export type Decided = Pick<ReceiptDecision, "decision" | "by" | "reason">;

/** "Allowed once by you", "Denied by your rule". The line may contain names from outside; the caller makes hidden characters visible. */
export function decisionLine({ decision, by, reason }: Decided): string {
	if (decision === "deny") return fill(denyWords[reason ?? "person"], { who: whoOf(by), rule: ruleOf(by) });
	if (by.startsWith("window:")) return decisionWords.byWindow;
	if (decision === "allow") return fill(decisionWords.byRule, { rule: ruleOf(by) });
	return fill(decisionWords[decision], { who: whoOf(by) });
}

export function whoOf(by: string): string {
	if (by === "person") return decisionWords.you;
	if (by === "gateway") return decisionWords.onGateway;
	return by.startsWith("discord:") ? fill(decisionWords.onDiscord, { name: by.slice("discord:".length) }) : by;
}

function ruleOf(by: string): string {
	const { person, run, configuration, tool } = decisionWords.rules;
	if (by === "person") return person;
	if (by === "run") return run;
	return by.startsWith("configuration:") ? configuration : tool;
}

export function isDenyReason(code: string | undefined): code is DenyReason {
	return code !== undefined && Object.hasOwn(denyWords, code);
}

/** Why a call did not succeed: the words for its code, and the tool's own message. A reported call may have been made despite a denial. */
export function endLine(code: string | undefined, message: string | undefined, origin: ReceiptOrigin = "executed"): string {
	const known = code !== undefined && Object.hasOwn(callEndWords, code) ? callEndWords[code as keyof typeof callEndWords] : code;
	const title = origin === "reported" && code === "DENIED" ? deniedLate : known;
	return [title, message].filter((part) => part !== undefined && part !== "").join(": ");
}

/**
 * The words for a receipt of a run that does not belong to a call: "Switched from account anthropic:work to account anthropic:home: the
 * first one reached its rate limit". Undefined for a receipt that belongs to a call, or that says nothing beyond its type. The words may
 * contain names from outside; the caller makes hidden characters visible.
 */
export function runEventLine({ type, detail = {} }: Pick<Receipt, "type" | "detail">): string | undefined {
	const { from, to, cause, reason, state } = detail;
	if (type === "answer.checked") {
		const said = wordOf(checkedWords, state);
		return said && `${receiptWords[type]}: ${said}`;
	}
	if (type !== "auth.profile.rotated" || from === undefined || to === undefined) return undefined;
	const { line, ...whys } = switchWords;
	// In a receipt of an earlier version, the reason is only text.
	const why = wordOf(whys, cause) ?? `${reason ?? ""}`;
	return fill(line, { from: `${from}`, to: `${to}`, why }).replace(/: $/, "");
}

/** The entry of a table for a key from a receipt; undefined if there is none. */
export function wordOf(words: Readonly<Record<string, string>>, key: unknown): string | undefined {
	return typeof key === "string" && Object.hasOwn(words, key) ? words[key] : undefined;
}

/**
 * "but not as allowed: allowed “ls”, reported “rm”", from a receipt of a call that was made without permission. Undefined for any other
 * receipt. The words may contain text from outside, like those of `runEventLine`.
 */
export function unpermittedLine(receipt: Pick<Receipt, "origin" | "type" | "detail">): string | undefined {
	const unpermitted = unpermittedBy(receipt);
	const swapped = swappedBy(receipt);
	if (unpermitted === undefined) return undefined;
	const denied = deniedCommandBy(receipt);
	if (denied !== undefined) return containsLine(denied);
	return `${unpermittedLines[unpermitted]}${swapped === undefined ? "" : `: ${swappedLine(swapped)}`}`;
}

/**
 * "Denied, but reported anyway": the words for a receipt of a denied call that was made nevertheless. The receipt's type is that of a
 * success, although the agent may only have reported the call as running, or nothing at all. Undefined for any other receipt.
 */
export function anywayWord(receipt: Pick<Receipt, "origin" | "type" | "detail">): string | undefined {
	const isOwn = receipt.type === "tool.call.succeeded" && deniedCommandBy(receipt) === undefined;
	const unpermitted = isOwn ? unpermittedBy(receipt) : undefined;
	return unpermitted === "denied" || unpermitted === "found" ? activityWords.despite[unpermitted].word : undefined;
}

/** "allowed “ls”, reported “rm”". */
export function swappedLine(swapped: SwappedCommand): string {
	return fill(activityWords.swapped, swapped);
}

/** "although “rm x” was denied": for a call whose command contains the command of another call, which was denied. */
export function containsLine(denied: string): string {
	return fill(activityWords.contains.line, { denied });
}

/** A receipt of a run on one line, for a log: "Requested: calendar.events.create, write". */
export function runReceiptLine(receipt: Receipt): string {
	const { type, toolId, risk, decision, outcome, origin, detail } = receipt;
	const unpermitted = unpermittedBy(receipt);
	const contradiction = contradictionBy(receipt);
	const event = runEventLine({ type, ...(detail && { detail }) });
	if (event !== undefined) return event;
	const anyway = anywayWord(receipt);
	if (anyway !== undefined) return toolId === undefined ? anyway : `${anyway}: ${toolId}`;
	const word = decision === undefined ? receiptWords[type] : decisionLine(decision);
	// The risk of an agent's own call is left out, because the bridge only infers it from the kind that the agent gave the call.
	const isTyped = type === "tool.call.requested" && origin === "executed";
	const what = [toolId, isTyped && risk !== undefined ? riskWords[risk].word.toLowerCase() : undefined];
	const end = endLine(outcome?.code, outcome?.message, origin);
	const rest = [...what, end === "" ? undefined : end, isAsReported(receipt) ? "as reported" : undefined]
		.concat(unpermitted && unpermittedLine(receipt), contradiction && contradictionLines[contradiction])
		.filter((part) => part !== undefined);
	return rest.length === 0 ? word : `${word}: ${rest.join(", ")}`;
}

/** True if an agent reported what a receipt says. A decision that others made is not a report, and neither is an unknown outcome. */
function isAsReported({ origin, type, decision }: Pick<Receipt, "origin" | "type" | "decision">): boolean {
	const isByOther = decision !== undefined && !decision.by.startsWith("agent:");
	return origin === "reported" && type !== "tool.call.unknown" && !isByOther;
}
