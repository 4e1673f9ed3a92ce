import type { ChannelId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { composePlanPrompt, constraintsOf } from "../../../src/plans/text/plan-prompt.ts";

const whatsapp =
	"Your deliverable will be sent via WhatsApp. Plain text only. Use *bold* sparingly. Keep under 2000 chars. No markdown headers, code blocks, or bullet dashes.";
const email = "Your deliverable will be sent via email. Rich formatting OK. Headers, lists, longer content all fine.";
const dashboard = "Your deliverable will be shown on the dashboard. Full markdown supported.";
const channels: ReadonlyMap<ChannelId, { constraints: string }> = new Map<ChannelId, { constraints: string }>([
	["whatsapp", { constraints: whatsapp }],
	["email", { constraints: email }],
	["dashboard", { constraints: dashboard }],
]);

const plan = {
	title: "Trip $& {instructions}",
	instructions: "Find places in {title} that cost < $10.\nFor {channel_constraints}.",
	work: [{ description: "Research Bangkok" }, { description: "Compare prices\nin baht" }],
	delivery: [{ channel: "whatsapp" }],
} as const;

const seed = `Task: "Trip $& {instructions}"

Find places in {title} that cost < $10.
For {channel_constraints}.

## Work Items
- Research Bangkok
- Compare prices
  in baht

## Output Format

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

${whatsapp}

If you cannot produce a deliverable (safety concern, insufficient information,
or ethical issue), output exactly:
<deliverable>NONE</deliverable>
Explain your reason in the working section above.
`;

describe("composePlanPrompt", () => {
	it("[T2-25] [T2-26] [T2-27] [T2-28] [T2-29] [T2-30] [T2-31] [T2-32] [T2-33] [T2-34] is the template, byte for byte", () => {
		expect(composePlanPrompt(plan, [whatsapp])).toBe(seed);
	});

	it("[T2-33] [T2-35] names what each channel asks for once, in the order of the actions", () => {
		const delivery = (["email", "whatsapp", "email", "dashboard"] as const).map((channel) => ({ channel }));
		const told = constraintsOf(delivery, channels);
		expect(told).toEqual([email, whatsapp, dashboard]);
		expect(composePlanPrompt({ ...plan, delivery }, [...told, email])).toBe(seed.replace(whatsapp, told.join("\n")));
	});

	it("[T2-39] asks for no message where there is none to send", () => {
		const start = seed.slice(0, seed.indexOf("\n\n## Output Format"));
		expect(composePlanPrompt({ ...plan, delivery: [] }, [whatsapp])).toBe(`${start}\n`);
	});

	it("asks for no message where all are given", () => {
		const delivery = [{ channel: "email", content: "Call mom" }] as const;
		expect(composePlanPrompt({ ...plan, delivery }, [])).not.toContain("deliverable");
		expect(constraintsOf([...delivery, { channel: "whatsapp" }], channels)).toEqual([whatsapp]);
	});

	it("has no empty sections", () => {
		const bare = composePlanPrompt({ ...plan, instructions: " \n", work: [] }, []);
		expect(bare).not.toContain("## Work Items");
		expect(bare).not.toContain("\n\n\n");
		expect(composePlanPrompt({ ...plan, instructions: "", work: [], delivery: [] }, [])).toBe('Task: "Trip $& {instructions}"\n');
	});

	it("asks an agent whose answer is a value for no tags", () => {
		const prompt = composePlanPrompt(plan, [whatsapp], "structured");
		expect(prompt).not.toContain("<deliverable>");
		expect(prompt).toContain(`\n\n${whatsapp}\n\n`);
		expect(prompt).toContain("answer exactly: NONE");
	});
});
