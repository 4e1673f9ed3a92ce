import { describe, expect, it } from "vitest";
import { AT } from "../../support/fake-run.ts";
import { ended, freshThread, handle, send, synced, tell } from "../../support/thread-story.ts";

const LATER = "2026-01-09T08:00:00.000Z";

const finished = tell(
	freshThread(),
	send("t1"),
	handle("t1"),
	ended("t1", (run) => run.end("completed", { "report.md": "# hello" })),
	synced("t1", ["report.md"]),
);

describe("the time that lists show of a thread", () => {
	it("is not when it was archived or restored", () => {
		const archived = tell(finished, { type: "archive", at: LATER });
		expect(archived).toMatchObject({ lifecycleStatus: "archived", updatedAt: AT });
		expect(tell(archived, { type: "restore", at: LATER })).toMatchObject({ lifecycleStatus: "ready", updatedAt: AT });
	});

	it("is when a message was sent, also to an archived thread", () => {
		const archived = tell(finished, { type: "archive", at: LATER });
		expect(tell(archived, { ...send("t2"), at: LATER })).toMatchObject({ lifecycleStatus: "running", updatedAt: LATER });
	});
});
