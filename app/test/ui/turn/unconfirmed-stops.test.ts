import { describe, expect, it } from "vitest";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { at, ended, snapshot } from "../stories.ts";

const late = { status: "interrupted", success: false, code: "DEADLINE_EXCEEDED" } as const;

/** The card of a run that ended because its deadline passed. */
function card(turn: Parameters<typeof ended>[0], end: Parameters<typeof ended>[1]) {
	const detail = ended({ ...turn, status: "interrupted", resultDetail: { code: "DEADLINE_EXCEEDED" } }, end);
	return deriveOutcome({ detail, view: emptyTurn, provider: "Lively" });
}

describe("a run whose deadline passed", () => {
	it("after it was asked to stop, here or by another program, is said to be one whose stop was not confirmed", () => {
		const unconfirmed = {
			title: "Outcome unknown: the stop wasn’t confirmed",
			say: "The run may still have finished, or may still be running. Nothing was resent automatically.",
			actions: ["run_log", "ask_again"],
		};
		expect(card({ cancelRequestedAt: at(2) }, undefined)).toMatchObject(unconfirmed);
		expect(card({}, snapshot({ ...late, cancelRequestedAt: at(2) }))).toMatchObject(unconfirmed);
		// The request never reached the bridge. The list, which has no snapshot, says the same.
		expect(card({ cancelRequestedAt: at(2) }, snapshot(late))).toMatchObject(unconfirmed);
	});

	it("without a stop, has timed out", () => {
		expect(card({}, snapshot(late))).toMatchObject({ title: "Timed out", actions: ["run_log", "ask_more_time"] });
	});
});
