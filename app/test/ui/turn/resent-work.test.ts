import { type Origin, OriginId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { ended } from "../stories.ts";

const ofPlan: Origin = { kind: "plan", id: OriginId.parse("p1") };

/** What the card of a run with an unknown outcome says. `turns`: those of its thread. */
function said(code: string, origin: Origin | undefined, turns: readonly string[]): string | undefined {
	const { request, ...detail } = ended({ turnId: TurnId.parse("p1-3-1"), status: "interrupted", resultDetail: { code } }, undefined);
	return deriveOutcome({
		detail: { ...detail, request: { ...request, ...(origin && { origin }) } },
		...{ view: emptyTurn, provider: "Lively", turns: turns.map((turnId) => ({ turnId })) },
	})?.say;
}

it.each(["BRIDGE_RESTARTED", "BRIDGE_STOPPED"])(
	"doesn't say after %s that nothing was resent if the plan's work was started again",
	(code) => {
		expect(said(code, ofPlan, ["p1-3-1", "p1-3-2"])).toBe(
			"XWorkmate can’t tell whether the run finished. The plan’s work was started again.",
		);
		const where = "XWorkmate can’t tell whether the run finished. The plan shows whether its work was started again.";
		expect(said(code, ofPlan, ["p1-3-1"])).toBe(where);
		expect(said(code, ofPlan, ["p1-2-9", "p1-3-1", "p1-4-1"])).toBe(where);
	},
);

it("says that nothing was resent of a message that no plan sent, and of a plan's run that is never repeated automatically", () => {
	expect(said("BRIDGE_RESTARTED", undefined, ["p1-3-1"])).toBe(
		"XWorkmate can’t tell whether the run finished. Nothing was resent automatically.",
	);
	expect(said("DEADLINE_EXCEEDED", ofPlan, ["p1-3-1"])).toBe("The run may still have finished. Nothing was resent automatically.");
	expect(said("DEADLINE_EXCEEDED", ofPlan, ["p1-3-1", "p1-3-2"])).toContain("The plan’s work was started again.");
});
