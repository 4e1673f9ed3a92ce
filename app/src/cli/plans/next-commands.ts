import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { commandLine } from "../../text/command-line.ts";
import { isResent, isUnsent } from "./read-resent.ts";

const ofWork: ReadonlySet<Occurrence["code"]> = new Set(["WORK_FAILED", "WORK_UNKNOWN", "WORK_NOT_VERIFIED"]);

/**
 * The commands that make sense next for an occurrence that needs attention or has not ended. `resent`: the messages with which its own were
 * sent again.
 */
export function nextCommands(occurrence: Occurrence, resent: readonly DeliveryAction[] = []): readonly string[] {
	const { occurrenceId, planId, status, code, delivery } = occurrence;
	const has = (...statuses: readonly DeliveryAction["status"][]) => delivery.some((action) => statuses.includes(action.status));
	const isHeld = has("needs_review") || (status === "needs_review" && delivery.length === 0);
	const isOfWork = code !== undefined && ofWork.has(code);
	return [
		...(isHeld ? [`  Review it: ${commandLine(`plans review ${occurrenceId}`)}`] : []),
		...(has("unknown") ? [`  Record whether it arrived: ${commandLine(`plans settle ${occurrenceId} --sent`)} or --not-sent`] : []),
		...(isOfWork ? [`  Run it again: ${commandLine(`plans run ${planId}`)}`] : []),
		...(status === "failed" && !isOfWork ? againCommands(occurrence, resent) : []),
	];
}

/** How to send the messages again that were not sent, unless that was done. */
function againCommands({ occurrenceId, planId, delivery, deliverable }: Occurrence, resent: readonly DeliveryAction[]): readonly string[] {
	const unsent = delivery.filter(isUnsent);
	const left = unsent.filter((action) => !isResent(action, resent));
	// A message without a text can't be sent again: there is nothing to send.
	const canResend = ({ content }: DeliveryAction) => (content ?? deliverable) !== undefined;
	if (left.length === 0) return [];
	if (!left.some(canResend)) return [`  Run it again: ${commandLine(`plans run ${planId}`)}`];
	// The due time names all of them, and if one was sent again, it would be refused.
	const names = left.length === unsent.length ? [occurrenceId] : left.filter(canResend).map(({ actionId }) => actionId);
	return names.map((name) => `  Send it again: ${commandLine(`plans resend ${name}`)}`);
}
