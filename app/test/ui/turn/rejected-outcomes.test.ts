import { expect, it } from "vitest";
import { rejectedTitle } from "../../../src/text/runs/no-files-words.ts";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { withActions } from "../../../src/ui/turn/outcome-of-actions.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { activityOf, item } from "../action-stories.ts";
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

it.each([
	[1, "Succeeded, but 1 file was rejected."],
	[2, "Succeeded, but 2 files were rejected."],
])("a run that had %i of its files rejected is no plain success, and says so in the words of the terminal", (rejectedCount, title) => {
	const rejectedArtifacts = [{ path: "big.bin", reason: "too_large" as const }];
	const artifacts = { ...snapshot({}).artifacts, count: 1 };
	const end = snapshot({ artifacts, rejectedArtifacts, rejectedCount });
	const outcome = deriveOutcome({ detail: ended({}, end), view: emptyTurn, provider: "Lively" });
	const card = outcome && withActions(outcome, end);
	expect(card).toMatchObject({ tone: "mixed", title, say: "1 file checked and saved." });
	expect(rejectedTitle(rejectedCount)).toBe(title);
});

it.each([
	[1, "Succeeded, but 1 file was rejected."],
	[0, "No files delivered: 1 was rejected"],
])("a run that acted through tools, delivered %i files and had one rejected says once at most that it succeeded", (count, title) => {
	const activity = activityOf([item("a", "succeeded")]);
	const artifacts = { ...snapshot({}).artifacts, count };
	const end = snapshot({ activity, artifacts, rejectedArtifacts: [{ path: "big.bin", reason: "too_large" }], rejectedCount: 1 });
	const outcome = deriveOutcome({ detail: ended({}, end), view: emptyTurn, provider: "Lively" });
	const card = outcome && withActions(outcome, end);
	expect(card?.title).toBe(title);
	expect([card?.say ?? "", ...(card?.facts ?? [])].join(" ")).not.toContain("Succeeded");
});
