import type { DeliveryAction, GateReason, Occurrence, OccurrenceCode } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { fill } from "../../strings/interface.ts";
import { missedWords } from "../../strings/plans/missed-words.ts";
import { planCodeWords } from "../../strings/plans/plan-code-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { restoredWords } from "../../strings/plans/restored-words.ts";

/** The title of a message's code, with the values in its braces. Undefined if the message has no code. */
export function codeTitle({ code, channel, attempts }: Pick<DeliveryAction, "code" | "channel" | "attempts">): string | undefined {
	return code === undefined ? undefined : fill(planCodeWords[code].title, { channel: channelWords[channel], count: attempts });
}

/**
 * The title of an occurrence's code. A time that passed while the plan was paused also has the code `MISSED`, but no record in `missed`. If
 * a backup was restored, messages that were recorded as not sent may have been sent after the backup was made.
 */
export function occurrenceTitle(code: OccurrenceCode, { delivery, missed }: Pick<Occurrence, "delivery" | "missed">): string {
	if ((code === "DELIVERY_FAILED" || code === "CANCELLED") && isPerhapsSent(delivery)) return restoredWords.perhapsSent;
	if (code !== "MISSED") return planCodeWords[code].title;
	return missed === undefined ? missedWords.paused : missedWords.late;
}

/** Why a due time was skipped, if earlier work or messages of the plan were the reason; otherwise undefined. */
export function skippedWhy({ code }: Pick<Occurrence, "code">): string | undefined {
	return code === "OVERLAP" ? planCodeWords[code].meaning : undefined;
}

/** The sentence that explains an occurrence's code, with braces for values. Undefined if the code has none. */
export function occurrenceMeaning(code: OccurrenceCode, { delivery, missed }: Pick<Occurrence, "delivery" | "missed">): string | undefined {
	if (code === "MISSED" && missed?.count === 1) return "This due time was too long ago to catch up on.";
	// A plan that sends no messages can also have this code, so the sentence must not say that nothing was sent.
	if (code === "WORK_FAILED" && delivery.length === 0) return "{agent} didn’t succeed.";
	if (code !== "DELIVERY_FAILED" && code !== "CANCELLED") return planCodeWords[code].meaning;
	if (isPerhapsSent(delivery)) return undefined;
	if (code === "CANCELLED") return planCodeWords[code].meaning;
	return delivery.length === 1 ? "The message was not sent." : "None of the messages were sent.";
}

function isPerhapsSent(delivery: Occurrence["delivery"]): boolean {
	return delivery.some((action) => action.status === "failed" && action.mayHaveBeenSent === true && !hasArrived(action));
}

/** The title of the gate's refusal. The gate's own words are meant for logs and for the agent. */
export function gateTitle(reason: GateReason): string {
	return planCodeWords[`GATE_${reason.toUpperCase()}` as keyof typeof planCodeWords].title;
}
