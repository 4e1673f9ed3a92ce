import { type Gate, hasTag, type RunCode } from "@xworkmate/contracts";
import { asSent, extractDeliverable } from "./extract-deliverable.ts";
import { refused, validateDeliverable } from "./validate-deliverable.ts";

/** Whose answer it is. */
export interface GateTerms {
	/** A message is to be made of it. */
	readonly hasDelivery: boolean;
	/** The answer is a value that is the message, without tags. */
	readonly structured: boolean;
	readonly runCode?: RunCode | undefined;
}

/**
 * Decides what of a whole answer may be sent: `deliverable`, absent where the gate refuses or nothing is to be sent.
 * Pure and linear; never throws.
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

/** A value that is a message. Tags around all of it are taken off; others would be read by the recipient. */
function returned(answer: string): Pick<ReturnType<typeof extractDeliverable>, "deliverable" | "problem"> {
	if (!hasTag(answer)) return { deliverable: asSent(answer) };
	const { work, deliverable, problem } = extractDeliverable(answer.trim());
	if (problem === "empty") return { deliverable: "" };
	return deliverable === null || work !== "" ? { deliverable: null, problem: "malformed" } : { deliverable };
}
