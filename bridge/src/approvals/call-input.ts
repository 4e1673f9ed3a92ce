import type { Approval, Redaction } from "@xworkmate/contracts";
import type { PlacedStep } from "../ports/runs/run-step.ts";
import { wholeInput } from "./call-approval.ts";

/**
 * The tool that writes code. Its input is shown unredacted, because the user has to see all of the code, and what looks like a secret in it
 * is usually only a name.
 */
const CODE = "xworkmate.tools.write";

/**
 * The whole input of the call that a request is about, as JSON; without secrets, unless it is code. Undefined if it is no longer recorded,
 * or differs from the input that was asked about. Pure.
 */
export function callInput(
	{ toolCallId, inputHash, toolId }: Approval,
	steps: readonly PlacedStep[],
	redaction: Redaction,
): string | undefined {
	for (const { step } of steps) {
		if (step.kind !== "began" || `call-${step.call}` !== toolCallId || step.input === undefined) continue;
		if (step.inputHash !== inputHash) return undefined;
		return toolId === CODE ? JSON.stringify(step.input) : wholeInput(step.input, redaction);
	}
	return undefined;
}
