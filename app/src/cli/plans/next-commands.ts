import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { commandLine } from "../../text/command-line.ts";

const ofWork: ReadonlySet<Occurrence["code"]> = new Set(["WORK_FAILED", "WORK_UNKNOWN", "WORK_NOT_VERIFIED"]);

/** The commands that make sense next for an occurrence that needs attention or has not ended. */
export function nextCommands({ occurrenceId, planId, status, code, delivery, deliverable }: Occurrence): readonly string[] {
	const has = (...statuses: readonly DeliveryAction["status"][]) => delivery.some((action) => statuses.includes(action.status));
	const isHeld = has("needs_review") || (status === "needs_review" && delivery.length === 0);
	const unsent = delivery.filter((action) => action.status === "failed" && !hasArrived(action));
	// A message without a text can't be sent again: there is nothing to send.
	const canResend = unsent.some(({ content }) => (content ?? deliverable) !== undefined);
	const again = canResend
		? `  Send it again: ${commandLine(`plans resend ${occurrenceId}`)}`
		: `  Run it again: ${commandLine(`plans run ${planId}`)}`;
	return [
		...(isHeld ? [`  Review it: ${commandLine(`plans review ${occurrenceId}`)}`] : []),
		...(has("unknown") ? [`  Record whether it arrived: ${commandLine(`plans settle ${occurrenceId} --sent`)} or --not-sent`] : []),
		...(code !== undefined && ofWork.has(code) ? [`  Run it again: ${commandLine(`plans run ${planId}`)}`] : []),
		...(status === "failed" && (code === undefined || !ofWork.has(code)) && unsent.length > 0 ? [again] : []),
	];
}
