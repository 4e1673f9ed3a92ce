import { type Gate, hasTag, type RunCode } from "@xworkmate/contracts";
import { asSent, extractDeliverable } from "./extract-deliverable.ts";
import { refused, validateDeliverable } from "./validate-deliverable.ts";

/** What the gate needs to know about an answer. */
export interface GateTerms {
	/** True if the answer is to become a message. */
	readonly hasDelivery: boolean;
	/** True if the answer is a value that is the message itself, without tags. */
	readonly structured: boolean;
	readonly runCode?: RunCode | undefined;
}

/**
 * Decides which part of a whole answer may be sent: `deliverable`. It is absent if the gate refuses, or if nothing is to be sent. Pure;
 * takes linear time; never throws.
 */
export function gateOf(
	answer: string,
	{ hasDelivery, structured, runCode }: GateTerms,
): { readonly gate: Gate; readonly deliverable?: string } {
	if (!hasDelivery) return { gate: { valid: true } };
	if (runCode === "REFUSED") return { gate: refused("declined") };
	const { deliverable, problem } = structured ? returned(answer) : extractDeliverable(answer);
	const gate = validateDeliverable(deliverable, hasDelivery, problem);
	return gate.valid && deliverable !== null ? { gate, deliverable } : { gate };
}

/** Takes a value as the message. Tags around the entire value are removed; any others are refused, because the recipient would see them. */
function returned(answer: string): Pick<ReturnType<typeof extractDeliverable>, "deliverable" | "problem"> {
	if (!hasTag(answer)) return { deliverable: asSent(answer) };
	const { work, deliverable, problem } = extractDeliverable(answer.trim());
	if (problem === "empty") return { deliverable: "" };
	return deliverable === null || work !== "" ? { deliverable: null, problem: "malformed" } : { deliverable };
}
