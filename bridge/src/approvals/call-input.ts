import type { Approval } from "@xworkmate/contracts";
import type { PlacedStep } from "../ports/run-step.ts";
import { wholeInput } from "./call-approval.ts";

/** Writes code, in which a person has to see everything: what looks like a secret is a name there. */
const CODE = "xworkmate.tools.write";

/**
 * The whole input of the call that a request is about, as JSON without secrets; undefined if it is no longer recorded, or if it is not the
 * one that was asked about. Pure.
 */
export function callInput({ toolCallId, inputHash, toolId }: Approval, steps: readonly PlacedStep[]): string | undefined {
	for (const { step } of steps) {
		if (step.kind !== "began" || `call-${step.call}` !== toolCallId || step.input === undefined) continue;
		const shown = toolId === CODE ? JSON.stringify : wholeInput;
		return step.inputHash === inputHash ? shown(step.input) : undefined;
	}
	return undefined;
}
