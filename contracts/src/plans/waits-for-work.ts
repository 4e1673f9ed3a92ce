import type { DeliveryAction } from "./delivery.ts";

/** Whether a held message waits for the agent's text, or because of the work, so that it gets the new text if the work is run again. */
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
