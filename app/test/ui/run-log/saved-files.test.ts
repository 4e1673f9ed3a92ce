import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { runLogEntries } from "../../../src/run-log/run-log-entries.ts";
import { logWord } from "../../../src/strings/runs/states.ts";
import { at, ended, snapshot } from "../stories.ts";

it("says what was saved, and when it was, not when the run ended", () => {
	const files = ["a.md", "b.md"];
	const savedOf = (turn: Parameters<typeof ended>[0]) => {
		const record = { threadId: ThreadId.parse("thread1"), ...ended({ endedAt: at(4), ...turn }, snapshot({}, files)) };
		const saved = runLogEntries(record, [], (text) => text).find(({ from }) => from === "sync");
		return [saved?.at, logWord(saved?.what ?? ""), saved?.text, saved?.problem];
	};
	const synced = { syncStatus: "synced", syncedPaths: files, syncedAt: at(6) } as const;
	expect(savedOf(synced)).toEqual([at(6), "Files saved", "2 of 2 files", undefined]);
	const partial = { syncStatus: "partial", syncedPaths: ["a.md"], syncedAt: at(6) } as const;
	expect(savedOf(partial)).toEqual([at(6), "Some files saved", "1 of 2 files", true]);
	// Both had been saved, and one that was deleted since could not be fetched.
	expect(savedOf({ ...partial, syncedPaths: files })).toEqual([at(6), "Some files saved", "", true]);
	const cancelled = { status: "cancelled", syncStatus: "failed" } as const;
	expect(savedOf(cancelled)).toEqual([at(4), "Files not saved", "0 of 2 files", undefined]);
});
