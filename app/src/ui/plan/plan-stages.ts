import type { DeliveryAction, DeliveryCode, Occurrence } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import type { RunState } from "../../text/plans/plan-runs.ts";

export type StageName = "due" | "work" | "check" | "send" | "confirm";

export interface Stage {
	readonly name: StageName;
	/** The look of the stage on the rail; empty if it was not reached. */
	readonly state: "done" | "now" | "lost" | "bad" | "need" | "";
	readonly isHere: boolean;
}

/**
 * How far an occurrence got, according to its record. Without an agent's run, the stages for its work and for the check are left out;
 * without messages, those after the work; and once it is over, the confirmation, unless every message was confirmed as delivered.
 * @param run what the occurrence's active run is doing, if it is known: cancelled work is under way only until its run has stopped
 */
export function stagesOf({ status, runs, gate, delivery }: Occurrence, run?: RunState): readonly Stage[] {
	const hasWork = runs.length > 0;
	const isOver = status === "completed" || status === "failed" || status === "cancelled" || status === "skipped";
	const isWorked = hasWork && runs.every((one) => one.status !== undefined);
	const didFail = hasWork && isWorked && runs.at(-1)?.status !== "completed";
	const isAtWork = isOver ? run === "stopping" : run !== "waiting" && run !== "queued";
	const unknown = delivery.some((action) => action.status === "unknown");
	const isHeld = delivery.some((action) => action.status === "needs_review");
	const isSent = delivery.length > 0 && delivery.every(hasArrived);
	const isConfirmed = delivery.length > 0 && delivery.every(({ proof }) => proof === "delivered" || proof === "read");
	const isSending = delivery.some((action) => action.status === "sending");
	const isRefused = isOver && delivery.some((action) => action.status === "failed" && !isUntried(action));
	const checked = gate === undefined ? "" : gate.valid && !isHeld ? "done" : isOver ? "bad" : "need";
	const begun = status !== "due";
	const states: readonly (readonly [StageName, Stage["state"]])[] = [
		["due", begun ? "done" : "now"],
		...(hasWork ? [["work", didFail ? "bad" : isWorked ? "done" : isAtWork ? "now" : ""] as const] : []),
		...(hasWork && delivery.length > 0 ? [["check", checked] as const] : []),
		...(delivery.length > 0
			? ([
					["send", unknown ? "lost" : isSent ? "done" : isRefused ? "bad" : isSending ? "now" : ""],
					...(isOver && !isConfirmed ? [] : [["confirm", isConfirmed ? "done" : ""] as const]),
				] as const)
			: []),
	];
	const here = isOver ? -1 : states.findIndex(([, state]) => state === "now" || state === "lost" || state === "need");
	return states.map(([name, state], index) => ({ name, state, isHere: index === here }));
}

/** The codes of messages that ended before they were to be sent. */
const neverSent: ReadonlySet<DeliveryCode | undefined> = new Set<DeliveryCode>(["DISCARDED", "CANCELLED", "NOTHING_TO_SAY", "WORK_FAILED"]);

/** True for a message that arrived nevertheless, and for one that was dropped before it was tried. */
function isUntried(action: DeliveryAction): boolean {
	return hasArrived(action) || (action.attempts === 0 && neverSent.has(action.code));
}
