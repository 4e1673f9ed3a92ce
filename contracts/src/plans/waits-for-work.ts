import type { DeliveryAction } from "./delivery.ts";
import type { Occurrence, Plan } from "./plan.ts";

/**
 * Whether a message is held for the agent's text, or because of the work, so that it waits for the new result if the work is run again. A
 * message with its own content keeps that content.
 */
export function waitsForWork({ status, content, code }: DeliveryAction): boolean {
	if (status !== "needs_review") return false;
	return (
		content === undefined ||
		code?.startsWith("GATE_") === true ||
		code === "RUN_INTERRUPTED" ||
		code === "WORK_UNVERIFIED" ||
		code === "MISSED"
	);
}

/**
 * Whether the bridge allows the work of an occurrence to be run again. The occurrence must not be a resend, due or running. An agent has to
 * write something, no message is pending or on its way, and `waitsForWork` is true of a message; without messages, the occurrence itself
 * has to wait for the user. For any other message, running the work again would not change what is sent.
 */
export function canRerun({ instructions, work }: Pick<Plan, "instructions" | "work">, occurrence: Occurrence): boolean {
	const { kind, status, delivery } = occurrence;
	if (kind === "resend" || status === "due" || status === "running") return false;
	if (delivery.length === 0) return status === "needs_review" && (work.length > 0 || instructions.trim() !== "");
	if (delivery.some((action) => action.status === "pending" || action.status === "sending")) return false;
	return delivery.some(({ content }) => content === undefined) && delivery.some(waitsForWork);
}
