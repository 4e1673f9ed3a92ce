import { type ChannelId, type LintFinding, type LintRule, lintNames } from "@xworkmate/contracts";
import type { DeliverableForm } from "../text/plan-prompt.ts";

/** Findings that an agent can fix by writing the message again. The user has to review the rest. */
const MENDABLE: ReadonlySet<LintRule> = new Set(["too_long", "heading", "code_fence", "bullet", "table"]);

/** True if there are findings and the agent can fix all of them. */
export function isMendable(findings: readonly LintFinding[]): boolean {
	return findings.length > 0 && findings.every(({ rule }) => MENDABLE.has(rule));
}

/** Asks for the message again. `delivery`: the actions, with each channel's objections. */
export function mendPrompt(
	delivery: readonly { readonly channel: ChannelId; readonly lint?: readonly LintFinding[] | undefined }[],
	constraints: readonly string[],
	form: DeliverableForm,
): string {
	const objections = delivery.flatMap(({ channel, lint = [] }) => {
		const words = new Set(lint.flatMap(({ rule }) => (MENDABLE.has(rule) ? lintNames[rule] : [])));
		return words.size === 0 ? [] : [`- ${channel}: ${[...words].join(", ")}`];
	});
	const ending =
		form === "tags"
			? "Answer with the message alone, inside <deliverable> and </deliverable>, each tag at the beginning of a line."
			: "Answer with the message alone: it is sent exactly as you give it.";
	const rules = constraints.map((text) => text.trim());
	return [
		"Your message can't be sent as it is:",
		...new Set(objections),
		"",
		"Write it again with the same meaning, and follow these rules:",
		...rules,
		"",
		ending,
	].join("\n");
}
