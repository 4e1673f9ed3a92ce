import { type Approval, limits, omitUndefined, type Preview, type Redaction } from "@xworkmate/contracts";
import type { CallRequest } from "../ports/tools/call-policy.ts";

type CallPart = Omit<Approval, "approvalId" | "runId" | "threadId" | "asker" | "requestedAt" | "expiresAt" | "state">;

const WORDS = 1_000;
const TITLE = 300;

/** The part of an approval record that describes a typed call. Pure. */
export function callApproval(request: CallRequest, windowSeconds: number, redaction: Redaction): CallPart {
	const { toolCallId, tool, input, inputHash, policyVersion } = request;
	const { toolId, toolHash, risk, isAccepted, secrets } = tool;
	const words = redaction.text(request.words).slice(0, WORDS);
	const mayWindow = request.mayWindow && tool.mayWindow && isAccepted;
	return {
		toolCallId,
		// For clients that do not know typed tools. The tool's id comes first, because the words may come from code that the user has not
		// accepted.
		title: words === "" ? toolId : `${toolId}: ${words}`.slice(0, TITLE),
		toolKind: risk === "read" ? "read" : "other",
		...omitUndefined({ input: shownInput(wholeInput(input, redaction), limits.previewBytes) }),
		inputHash,
		options: mayWindow ? ["allow_once", "allow_window", "deny"] : ["allow_once", "deny"],
		...(mayWindow && { grantScope: { kind: "tool", toolId, toolHash }, windowSeconds }),
		toolId,
		risk,
		toolHash,
		policyVersion,
		words,
		...(secrets.length > 0 && { secrets: [...secrets] }),
		...(!isAccepted && { unaccepted: true }),
	};
}

/** An input as JSON, without secrets. Undefined if it has no JSON form. */
export function wholeInput(input: unknown, redaction: Redaction): string | undefined {
	try {
		return JSON.stringify(redaction.value(input));
	} catch {
		// The input is nested too deeply for JSON.stringify, or contains a value that JSON cannot represent.
		return undefined;
	}
}

/** The beginning of an input in at most `bytes` bytes, never ending in the middle of a character. */
function shownInput(text: string | undefined, bytes: number): Preview | undefined {
	if (text === undefined) return undefined;
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
	return { text: text.slice(0, read), truncated: read < text.length };
}
