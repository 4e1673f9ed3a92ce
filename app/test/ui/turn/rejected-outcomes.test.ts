import { expect, it } from "vitest";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { withActions } from "../../../src/ui/turn/outcome-of-actions.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { ended, snapshot } from "../stories.ts";

it.each([
	[1, "No files delivered: 1 was rejected"],
	[2, "No files delivered: 2 were rejected"],
])("a run that had all of its %i files rejected says so first, and is no plain success", (rejectedCount, title) => {
	const end = snapshot({ rejectedArtifacts: [{ path: "a.md", reason: "name_collision" }], rejectedCount });
	const outcome = deriveOutcome({ detail: ended({}, end), view: emptyTurn, provider: "Lively" });
	const card = outcome && withActions(outcome, end);
	expect(card).toMatchObject({ tone: "mixed", title, facts: [expect.stringMatching(/^Done in /)] });
	expect(card?.quiet).toBeUndefined();
});
