import type { Approval } from "@xworkmate/contracts";

/** The requests that this page has answered, unless the answer was refused. The answer may have been accepted, or it may have been lost. */
const sent = new Set<string>();

export function noteSent({ approvalId }: Pick<Approval, "approvalId">): void {
	sent.add(approvalId);
}

/** True if this page has sent an answer that may have been accepted or lost. */
export function wasSent({ approvalId }: Pick<Approval, "approvalId">): boolean {
	return sent.has(approvalId);
}

/** Call this when the answer has been refused, or came too late: it did arrive. */
export function noteRefused({ approvalId }: Pick<Approval, "approvalId">): void {
	sent.delete(approvalId);
}

/** True if an answer from this page was lost with the bridge that stopped: the request was closed without an answer. */
export function isLostWithBridge({ approvalId, state, reason }: Pick<Approval, "approvalId" | "state" | "reason">): boolean {
	return state === "withdrawn" && reason === "bridge_stopped" && sent.has(approvalId);
}
