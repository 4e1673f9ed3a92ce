import type { DeliveryAction, LintFinding, Occurrence, Plan, ReviewCode } from "@xworkmate/contracts";
import { gravestFirst } from "./gravest-first.ts";
import { upperCase } from "./upper-case.ts";

/**
 * The reason why the user has to review a message again before it is sent again; undefined if there is none. `earlier` is the message as it
 * ended, and `findings` are its channel's objections. A channel's objection to an agent's text always counts. A doubt about the work, or an
 * unverified claim, does not count if the message was built, because then the user approved it or there was no reason to hold it. A message
 * that was discarded or cancelled while it was held was never approved. After the work was run again for other messages, `grounding` is
 * about their text, so what is known of an earlier text is the recorded reason.
 */
export function heldAgain(
	occurrence: Occurrence,
	earlier: DeliveryAction,
	{ delivery }: Pick<Plan, "delivery">,
	findings: readonly LintFinding[],
): { readonly code: ReviewCode; readonly message?: string } | undefined {
	const { deliverable, grounding, runs } = occurrence;
	const { content, payloadHash, workedBy, heldFor = [] } = earlier;
	const isWritten = content === undefined && deliverable?.source === "model";
	const [finding] = gravestFirst(findings);
	// An agent's text becomes the message's own when another message of the same occurrence is edited, or the work is run again for it.
	const isCopied = content !== undefined && !delivery.some((given) => given.content === content);
	const wasObjectedTo = isCopied && payloadHash === undefined && heldFor.some((code) => code.startsWith("LINT_"));
	if ((isWritten || wasObjectedTo) && finding !== undefined) return { code: `LINT_${upperCase(finding.rule)}` };
	if (payloadHash !== undefined) return undefined;
	const last = workedBy === undefined ? runs.at(-1) : runs.findLast(({ runId, rewrites }) => (rewrites ?? runId) === workedBy);
	const { status, code, message } = last ?? {};
	if (status === "completed" && code === undefined && message !== undefined) return { code: "WORK_UNVERIFIED", message };
	const isFound = grounding?.state === "unverified" || grounding?.state === "replaced";
	const isClaim = workedBy === undefined ? isFound : heldFor.includes("UNVERIFIED_CLAIM");
	return isClaim && (isWritten || isCopied) ? { code: "UNVERIFIED_CLAIM" } : undefined;
}
