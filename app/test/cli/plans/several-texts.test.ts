import { ContractError, type Occurrence } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, occurrence, plan } from "../../support/plan-story.ts";

const deliverable = { text: "Shorter.", sha256: "a".repeat(64), source: "person" } as Occurrence["deliverable"];
const anna = action({ recipient: "anna", content: "As it was." });
const me = action({ actionId: "beaches-1-2" as never });

/** The end of what `plans show` prints about a due time. */
async function shown(one: Occurrence, count: number): Promise<readonly string[]> {
	const api: Partial<AppApi> = {
		plan: async ({ planId }) => {
			if (planId !== one.planId) throw new ContractError("NOT_FOUND");
			return plan({ occurrence: one });
		},
		planOccurrences: async () => ({ items: [one] }),
	};
	const { lines } = await runAgainst(api, ["plans", "show", "beaches-1"]);
	return lines.join("\n").split("\n").slice(-count);
}

it("names the recipients of texts that share a channel", async () => {
	const lines = await shown(occurrence({ deliverable, delivery: [anna, me] }), 4);
	expect(lines.map((line) => line.trim())).toEqual([
		"The message (Email to anna):",
		"As it was.",
		"The message (Email to you):",
		"Shorter.",
	]);
});

it("shows the text that a message was sent with while the work runs again for another", async () => {
	const sent = { ...anna, workedBy: "r1" as never };
	const waits = { ...me, channel: "discord", status: "pending" } as const;
	const lines = await shown(occurrence({ status: "running", delivery: [sent, waits] }), 2);
	expect(lines.map((line) => line.trim())).toEqual(["The message (Email):", "As it was."]);
});
