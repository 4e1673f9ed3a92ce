import type { Approval, Redaction } from "@xworkmate/contracts";
import type { PlacedStep } from "../ports/run-step.ts";
import { wholeInput } from "./call-approval.ts";

/**
 * The whole input of the call that a request is about, as JSON without secrets; undefined if it is no longer recorded, or if it is not the
 * one that was asked about. Pure.
 */
export function callInput({ toolCallId, inputHash }: Approval, steps: readonly PlacedStep[], redaction: Redaction): string | undefined {
	for (const { step } of steps) {
		if (step.kind !== "began" || `call-${step.call}` !== toolCallId || step.input === undefined) continue;
		return step.inputHash === inputHash ? wholeInput(step.input, redaction) : undefined;
	}
	return undefined;
}
