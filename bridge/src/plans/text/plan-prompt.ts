import type { ChannelId } from "@xworkmate/contracts";

/** The parts of a plan that its agent's prompt is made from. If every message's text is given, no message is requested. */
export interface PromptedPlan {
	readonly title: string;
	readonly instructions: string;
	readonly work: readonly { readonly description: string }[];
	readonly delivery: readonly { readonly channel: ChannelId; readonly content?: string | undefined }[];
}

/** How an agent hands over its message: between tags in its answer, or as the value that it returns. */
export type DeliverableForm = "tags" | "structured";

/**
 * The prompt of a plan's run: what the agent is to do and, if a message is wanted, how to mark it. `constraints`: what each channel tells
 * the agent, in the order of the actions; duplicates appear only once.
 */
export function composePlanPrompt(plan: PromptedPlan, constraints: readonly string[], form: DeliverableForm = "tags"): string {
	const isMessageAsked = plan.delivery.some(({ content }) => content === undefined);
	const output = isMessageAsked ? [outputFormat([...new Set(constraints)].join("\n"), form)] : [];
	return `${[`Task: "${plan.title}"`, ...section(plan.instructions), ...workItems(plan.work), ...output].join("\n\n")}\n`;
}

/** What the channels of a plan's messages tell the agent, in the order of its actions. Messages whose text is given need no agent. */
export function constraintsOf(
	delivery: PromptedPlan["delivery"],
	channels: ReadonlyMap<ChannelId, { readonly constraints: string }>,
): readonly string[] {
	const asked = delivery.filter(({ content }) => content === undefined);
	const told = asked.map(({ channel }) => channels.get(channel)?.constraints).filter((constraint) => constraint !== undefined);
	return [...new Set(told)];
}

function section(text: string): readonly string[] {
	return text.trim() === "" ? [] : [text];
}

function workItems(work: PromptedPlan["work"]): readonly string[] {
	if (work.length === 0) return [];
	// Keeps a description of several lines in one bullet.
	const bullets = work.map(({ description }) => `- ${description.replaceAll(/\r\n|[\r\n]/g, "\n  ")}`);
	return [`## Work Items\n${bullets.join("\n")}`];
}

function outputFormat(constraints: string, form: DeliverableForm): string {
	return form === "tags" ? taggedFormat(constraints) : structuredFormat(constraints);
}

function taggedFormat(constraints: string): string {
	return `## Output Format

Complete the work items above. Structure your response as follows:

First, write your reasoning, research, and analysis. This working section is logged
internally and shown on the dashboard, but is NOT sent to anyone.

Then produce your final deliverable wrapped in XML tags:

<deliverable>
[Your standalone message for the recipient goes here]
</deliverable>

Rules for the deliverable:
- The recipient sees ONLY the content inside the tags. Nothing else.
- Write a complete, standalone message. The recipient has no other context.
- Do not include preamble ("Here are the results:", "I found:", etc.)
- Do not include task metadata, step numbers, or internal reasoning.
- Do not reference these instructions or the task itself.
${paragraph(constraints)}
If you cannot produce a deliverable (safety concern, insufficient information,
or ethical issue), output exactly:
<deliverable>NONE</deliverable>
Explain your reason in the working section above.`;
}

/** The format for an agent whose answer is a value, which needs no tags. */
function structuredFormat(constraints: string): string {
	return `## Output Format

Complete the work items above. Your final answer is the deliverable: it is sent exactly as you give it.

Rules for the deliverable:
- The recipient sees ONLY your final answer. Nothing else.
- Write a complete, standalone message. The recipient has no other context.
- Do not include preamble ("Here are the results:", "I found:", etc.)
- Do not include task metadata, step numbers, or internal reasoning.
- Do not reference these instructions or the task itself.
${paragraph(constraints)}
If you cannot produce a deliverable (safety concern, insufficient information,
or ethical issue), answer exactly: NONE`;
}

function paragraph(text: string): string {
	return text === "" ? "" : `\n${text}\n`;
}
