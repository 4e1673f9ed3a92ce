import type { DeliveryAction, LintFinding, Occurrence, Plan, ReviewCode } from "@xworkmate/contracts";
import { gravestFirst } from "./gravest-first.ts";
import { upperCase } from "./upper-case.ts";

/**
 * Why a message that is sent again has to be reviewed by the user once more; undefined if it does not. `earlier` is the message as it
 * ended, and `findings` are what its channel objects to. A channel's objection to an agent's text counts however the message ended. A doubt
 * about the work, or a claim that nothing confirms, counts unless the message was built, since that means that the user approved it, or
 * that there was no reason to hold it: a message that was discarded or cancelled while it was held was never approved.
 */
export function heldAgain(
	occurrence: Occurrence,
	earlier: DeliveryAction,
	{ delivery }: Pick<Plan, "delivery">,
	findings: readonly LintFinding[],
): { readonly code: ReviewCode; readonly message?: string } | undefined {
	const { deliverable, grounding, runs } = occurrence;
	const { content, payloadHash } = earlier;
	const isWritten = content === undefined && deliverable?.source === "model";
	const [finding] = gravestFirst(findings);
	if (isWritten && finding !== undefined) return { code: `LINT_${upperCase(finding.rule)}` };
	if (payloadHash !== undefined) return undefined;
	const { status, code, message } = runs.at(-1) ?? {};
	if (status === "completed" && code === undefined && message !== undefined) return { code: "WORK_UNVERIFIED", message };
	// An agent's text becomes the message's own when another message of the same occurrence is edited.
	const isCopied = content !== undefined && !delivery.some((given) => given.content === content);
	const isClaim = grounding?.state === "unverified" || grounding?.state === "replaced";
	return isClaim && (isWritten || isCopied) ? { code: "UNVERIFIED_CLAIM" } : undefined;
}
