import { type Activity, OriginId, ReceiptId, RunId, type Snapshot, ToolId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { describeEnd } from "../../../src/cli/words/runs/describe-end.ts";
import { runWords } from "../../../src/strings/codes.ts";
import { currentTurn } from "../../../src/threads/domain/thread.ts";
import { AT } from "../../support/fake-run.ts";
import { freshThread, handle, send, snapshotOf, tell, turnIdOf } from "../../support/thread-story.ts";

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
	expect(lines(179_801)).toContain("  rejected: 179801 files in total, 200 of them listed");
	expect(lines(200).join("\n")).not.toContain("in all");
	expect(lines().join("\n")).not.toContain("in all");
});

it.each([[["a.md"]], [[]]])("says of a run whose files could not all be saved (%j were) how to save them", (syncedPaths) => {
	const snapshot = snapshotOf("t1", (run) => run.end("completed", { "a.md": "a", "b.md": "b" }));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const resultDetail = { code: "TRANSFER_FAILED", message: "1 of 2 files was not saved in the folder: it was interrupted (b.md)." };
	const lines = describeEnd({ turn: { ...turn, syncStatus: "partial", syncedPaths, resultDetail }, thread, snapshot }, "/x");
	expect(lines.slice(0, 2)).toEqual([
		`Succeeded, but ${syncedPaths.length === 0 ? "none of its files were saved" : "some files aren’t in the folder"} (TRANSFER_FAILED)`,
		"  1 of 2 files was not saved in the folder: it was interrupted (b.md).",
	]);
	expect(lines).toContain(`  Save the missing files: npm run -s xworkmate -- sync ${thread.threadId}`);
	expect(lines.join()).not.toContain("collected by the bridge");
});

it("gives the reason why a file was rejected in words", () => {
	const thread = tell(freshThread(), send("t1"));
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const rejectedArtifacts = [{ path: "report.pdf", reason: "hard_link" as const }];
	const snapshot = { ...snapshotOf("t1", (run) => run.end("completed")), rejectedArtifacts };
	expect(describeEnd({ turn, thread, snapshot }, "/x")).toContain("  rejected: report.pdf (hard link)");
});

it("says that a run that succeeded delivered no files, whatever its agent said", () => {
	const snapshot = snapshotOf("t1", (run) => run.text("I saved report.md").end("completed"));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	expect(describeEnd({ turn, thread, snapshot }, "/x").slice(0, 2)).toEqual(["Succeeded", "  No files delivered"]);
});

it("says that all files of a run that succeeded were rejected, with how many", () => {
	const rejectedArtifacts = ["a.md", "A.md"].map((path) => ({ path, reason: "name_collision" as const }));
	const snapshot = { ...snapshotOf("t1", (run) => run.end("completed")), rejectedArtifacts };
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	expect(describeEnd({ turn, thread, snapshot }, "/x").slice(0, 3)).toEqual([
		"No files delivered: 2 were rejected",
		"  rejected: a.md (name clashes with another file)",
		"  rejected: A.md (name clashes with another file)",
	]);
	const some = { ...snapshotOf("t1", (run) => run.end("completed", { "b.md": "b" })), rejectedArtifacts };
	const saved = { ...turn, syncedPaths: ["b.md"] };
	expect(describeEnd({ turn: saved, thread, snapshot: some }, "/x")[0]).toBe("Succeeded, but 2 files were rejected");
});

it("says what typed calls did, and nothing of a run without any", () => {
	const ended = snapshotOf("t1", (run) => run.end("completed"));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: ended.turnId, snapshot: ended, at: ended.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 1, reported: 0 };
	const none: Activity = { runId: RunId.parse("run-1"), completed: 0, counts, items: [], truncated: false };
	const lost: Activity["items"][number] = {
		...{ toolCallId: "call-1", toolId: ToolId.parse("notes.note.add"), risk: "write", origin: "executed", status: "unknown" },
		...{ when: "2026-01-01T00:00:00.000Z", words: "Add it", receiptRef: ReceiptId.parse("run-1.3"), code: "HOST_LOST" },
	};
	const lines = (activity: Activity) => describeEnd({ turn, thread, snapshot: { ...ended, activity } }, "/x");
	expect(lines({ ...none, items: [lost] }).slice(1, 4)).toEqual([
		"  0 actions completed.",
		"  Outcome unknown:",
		"    notes.note.add “Add it”, HOST_LOST, run-1.3",
	]);
	expect(lines(none).join("\n")).not.toContain("actions completed");
});

it("says until when the accounts are limited by this computer's clock", () => {
	const snapshot = snapshotOf("t1", (run) => run.end("failed"));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const at = new Date(2020, 4, 6, 7, 8).toISOString();
	const lines = (code: string) =>
		describeEnd({ turn: { ...turn, resultDetail: { code, message: `Unavailable until ${at}.` } }, thread, snapshot }, "/x");
	expect(lines("PROVIDER_LIMITED")[1]).toBe("  Unavailable until 6 May 2020 07:08.");
	// Words of an agent stay as they are.
	expect(lines("PROVIDER_ERROR")[1]).toBe(`  Unavailable until ${at}.`);
});

it("names what changed where the run worked", () => {
	const thread = tell(freshThread(), send("t1"));
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const files = [{ path: "notes.txt", status: "added" as const }];
	const edits = { place: "workspace" as const, directory: "/home/w", files, total: 1 };
	const snapshot = { ...snapshotOf("t1", (run) => run.end("completed")), edits };
	expect(describeEnd({ turn, thread, snapshot }, "/x")).toContain("  1 file changed in /home/w during the run: notes.txt (new)");
});

it.each([
	["ACP_HTTP_CONNECT_FAILED", "Outcome unknown: lost contact with the bridge (ACP_HTTP_CONNECT_FAILED)"],
	["NOT_FOUND", "Outcome unknown: the bridge doesn’t have this run (NOT_FOUND)"],
])("says first of a run that the bridge tells nothing of that its outcome is unknown: %s", (code, title) => {
	const detail = { code, message: "It is not there." };
	const lost = { type: "fail_recovery", turnId: turnIdOf("t1"), at: AT, resultCode: "interrupted", detail } as const;
	const thread = tell(freshThread(), send("t1"), handle("t1"), lost);
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	expect(describeEnd({ turn, thread }, "/x").slice(0, 2)).toEqual([title, "  It is not there."]);
});

it("does not say that the agent wrote a message that may be the bridge's", () => {
	const snapshot = snapshotOf("t1", (run) => run.end("failed"));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const message = "Liar ended the run for a reason that the protocol does not define: nonsense.";
	const lines = describeEnd({ turn: { ...turn, resultDetail: { code: "PROVIDER_ERROR", message } }, thread, snapshot }, "/x").join("\n");
	expect(lines).toContain(`  ${message}\n  Fix the problem`);
	expect(`${lines}\n${runWords.PROVIDER_ERROR.title}`).not.toMatch(/comes from the agent|agent reported/);
});

it("doesn't say of a plan's interrupted work that nothing was sent again, but whether the work was started again", () => {
	const snapshot = { ...snapshotOf("t1", (run) => run.end("interrupted", {}, "BRIDGE_RESTARTED")) };
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const lines = (origin: Snapshot["origin"], ...later: readonly string[]) => {
		const turns = ["p1-1-1", ...later].map((turnId) => ({ ...turn, turnId: TurnId.parse(turnId) }));
		const [first = turn] = turns;
		return describeEnd({ turn: first, thread: { ...thread, turns }, snapshot: { ...snapshot, ...(origin && { origin }) } }, "/x");
	};
	const ofPlan = { kind: "plan", id: OriginId.parse("p1") } as const;
	expect(lines(undefined)).toContain("  Check what the run did, then ask again. Nothing was sent again automatically.");
	expect(lines(ofPlan, "p1-1-2")).toContain("  Check what the run did. The plan’s work was started again.");
	expect(lines(ofPlan)).toContain(
		"  Check what the run did. The plan shows whether its work was started again: npm run -s xworkmate -- plans show p1",
	);
});

it("recommends more time for a run that timed out, but not for one that was asked to stop", () => {
	const snapshot = snapshotOf("t1", (run) => run.end("interrupted", {}, "DEADLINE_EXCEEDED"));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const more = /config set runBudgetMs/;
	expect(describeEnd({ turn, thread, snapshot }, "/x").join("\n")).toMatch(more);
	const stopped = [
		{ turn: { ...turn, cancelRequestedAt: AT }, thread },
		{ turn, thread, snapshot: { ...snapshot, cancelRequestedAt: AT } },
	].map((end) => describeEnd(end, "/x"));
	for (const lines of stopped) {
		expect(lines).toContain("  Check what the run did, then ask again.");
		expect(lines.join("\n")).not.toMatch(more);
	}
});

it("says of a run that succeeded that a stop came too late", () => {
	const snapshot = snapshotOf("t1", (run) => run.text("Done.").end("completed"));
	const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
	const turn = currentTurn(thread);
	if (turn === undefined) throw new Error("the thread has no turn");
	const said = "  There was nothing left to stop when your request arrived.";
	expect(describeEnd({ turn: { ...turn, cancelRequestedAt: turn.createdAt }, thread, snapshot }, "/x")).toContain(said);
	expect(describeEnd({ turn, thread, snapshot }, "/x")).not.toContain(said);
});
