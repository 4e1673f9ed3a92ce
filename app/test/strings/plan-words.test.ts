import { type DeliveryAction, DeliveryCode, LintRule, lintNames, OccurrenceCode } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { lintWords, planCodeWords, planDoWords } from "../../src/strings/plans/plan-code-words.ts";
import { deliveryState } from "../../src/strings/plans/plan-words.ts";

const codes = [...DeliveryCode.options.flatMap((set) => set.options), ...OccurrenceCode.options];

it.each(codes)("%s has a title, a whole sentence, and only actions that have words", (code) => {
	const { title, meaning, actions } = planCodeWords[code];
	expect(title).toMatch(/^[A-Z{].*[^.]$/);
	expect(meaning ?? "Not shown.").toMatch(/^[A-Z{].*\.$/s);
	const known = code === "MISSED" ? ["{count}", "{first}", "{last}"] : ["{agent}", "{channel}"];
	for (const brace of meaning?.match(/\{\w+\}/g) ?? []) expect(known).toContain(brace);
	// An agent whose name is not known is called "The agent", which has its place at the beginning of a sentence.
	expect(meaning ?? "").not.toMatch(/(?<!^|\. )\{agent\}/);
	for (const action of actions) expect(planDoWords[action]).toMatch(/^[A-Z]/);
});

it("says of a message how it is, by its state, its stage and its proof", () => {
	const states = (
		[
			{ status: "pending" },
			{ status: "pending", notBefore: "2026-01-01T00:00:00.000Z" },
			{ status: "sending", stage: "handing_over" },
			{ status: "sending", stage: "accepted" },
			{ status: "completed", proof: "accepted" },
			{ status: "completed", proof: "delivered" },
			{ status: "completed", proof: "read" },
			{ status: "needs_review", code: "GATE_MISSING" },
			{ status: "unknown", code: "NO_ANSWER" },
			{ status: "failed", code: "RECIPIENT_REFUSED" },
			{ status: "failed", code: "DISCARDED" },
			{ status: "failed", code: "CANCELLED" },
			{ status: "failed", code: "NOTHING_TO_SAY" },
		] as const
	).map((part) => deliveryState({ channel: "email", actionId: "p-1-1", attempts: 0, ...part } as DeliveryAction));
	expect(states).toEqual(
		"waiting retrying sending unconfirmed sent delivered read needs_review unknown not_sent discarded cancelled nothing".split(" "),
	);
	expect(deliveryState({ channel: "email", actionId: "p-1-1", attempts: 0, status: "pending" } as DeliveryAction, "scheduled")).toBe(
		"scheduled",
	);
});

it("names every rule of a channel as its code does", () => {
	for (const [rule, title] of Object.entries(lintWords))
		expect(title).toBe(planCodeWords[`LINT_${rule.toUpperCase()}` as keyof typeof planCodeWords].title);
});

it("names every rule of a channel as the bridge does within a sentence", () => {
	for (const rule of LintRule.options) {
		const name = lintWords[rule].replace(" for {channel}", "").replace("’", "'");
		expect(lintNames[rule].toLowerCase()).toContain(name.toLowerCase());
	}
});
