import { expect, it } from "vitest";
import { describeEnd } from "../../../src/cli/words/describe-end.ts";
import { currentTurn } from "../../../src/threads/domain/thread.ts";
import { freshThread, send, snapshotOf, tell } from "../../support/thread-story.ts";

it("says how many files were not accepted when there are more than are listed", () => {
	const thread = tell(freshThread(), send("t1"));
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const rejectedArtifacts = Array.from({ length: 200 }, (_, index) => ({ path: `l${index}`, reason: "symlink" as const }));
	const snapshot = snapshotOf("t1", (run) => run.end("completed"));
	const lines = (rejectedCount?: number) =>
		describeEnd(
			{ turn, thread, snapshot: { ...snapshot, rejectedArtifacts, ...(rejectedCount !== undefined && { rejectedCount }) } },
			"/x",
		);
	expect(lines(179_801)).toContain("  rejected: 179801 files in all, 200 of them are listed");
	expect(lines(200).join("\n")).not.toContain("in all");
	expect(lines().join("\n")).not.toContain("in all");
});

it("says that a run that succeeded delivered no files, whatever its agent said", () => {
	const snapshot = snapshotOf("t1", (run) => run.text("I saved report.md").end("completed"));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	expect(describeEnd({ turn, thread, snapshot }, "/x").slice(0, 2)).toEqual(["Succeeded", "  No files delivered"]);
});
