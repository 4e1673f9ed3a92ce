import { describe, expect, it } from "vitest";
import { AT } from "../../support/fake-run.ts";
import { ended, freshThread, handle, lost, send, synced, tell, turnIdOf } from "../../support/thread-story.ts";

const NIGHT = "2026-01-08T23:10:00.000Z";
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

	it("is when the run ended, not when the app noticed that or had saved its files", () => {
		const away = tell(freshThread(), send("t1"), handle("t1"), { ...handle("t1", "run-t1", 9), at: LATER });
		const saving = tell(away, endsAt("t1", NIGHT));
		expect(saving).toMatchObject({ lifecycleStatus: "running", updatedAt: NIGHT, turns: [{ endedAt: NIGHT }] });
		const saved = tell(saving, { ...synced("t1", ["report.md"]), at: LATER });
		expect(saved).toMatchObject({ lifecycleStatus: "ready", updatedAt: NIGHT, turns: [{ endedAt: NIGHT }] });
	});

	it("does not change when nothing of a run is left to save any more", () => {
		const partial = tell(freshThread(), send("t1"), handle("t1"), endsAt("t1", NIGHT), synced("t1", ["report.md"], "partial"));
		const settled = tell(partial, { type: "settle_sync", turnId: turnIdOf("t1"), at: LATER, paths: ["report.md"] });
		expect(settled).toMatchObject({
			lastArtifactSyncStatus: "synced",
			updatedAt: NIGHT,
			turns: [{ syncStatus: "synced", syncedAt: LATER }],
		});
	});

	it("is when the app noticed the end if the bridge says no time", () => {
		const late = { ...ended("t1", (run) => run.end("failed", {}, "PROVIDER_ERROR")), at: LATER };
		expect(tell(freshThread(), send("t1"), handle("t1"), late)).toMatchObject({ updatedAt: LATER, turns: [{ endedAt: LATER }] });
	});

	it.each([
		["before the message was sent", "2025-12-31T00:00:00.000Z", AT],
		["in the future", "2027-01-01T00:00:00.000Z", LATER],
	])("is no time %s, if the bridge’s clock is wrong", (_when, told, shown) => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), endsAt("t1", told));
		expect(thread).toMatchObject({ updatedAt: shown, turns: [{ endedAt: shown }] });
	});

	it("does not change when the bridge is heard again and says what was known", () => {
		const waiting = tell(freshThread(), send("t1"), handle("t1", "run-t1", 4));
		const again = { ...handle("t1", "run-t1", 4), at: LATER };
		expect(tell(waiting, again)).toEqual(waiting);
		const stopped = { ...again, handle: { ...again.handle, cancelRequestedAt: LATER } };
		expect(tell(waiting, stopped)).toMatchObject({ updatedAt: AT, turns: [{ stoppingSince: LATER }] });
		const given = tell(waiting, lost("t1"));
		expect(tell(given, again)).toMatchObject({ lifecycleStatus: "running", updatedAt: AT, turns: [{ status: "running" }] });
	});

	it("is when more of the run was heard: that it exists, its updates, or that it has begun", () => {
		const sent = tell(freshThread(), send("t1"));
		const queued = { ...handle("t1"), handle: { ...handle("t1").handle, status: "queued" as const } };
		expect(tell(sent, { ...queued, at: LATER })).toMatchObject({ updatedAt: LATER, turns: [{ status: "queued" }] });
		expect(tell(sent, queued, { ...handle("t1"), at: LATER })).toMatchObject({ updatedAt: LATER, turns: [{ status: "running" }] });
		expect(tell(sent, queued, { ...handle("t1", "run-t1", 2), at: LATER })).toMatchObject({ updatedAt: LATER });
		expect(tell(sent, lost("t1"), { ...handle("t1"), at: LATER })).toMatchObject({ updatedAt: LATER, turns: [{ status: "running" }] });
	});

	it("does not change when the bridge turns out not to have an earlier run", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), send("t2"), handle("t2"));
		const detail = { code: "NOT_FOUND", message: "There is no such run." };
		const missing = { type: "fail_recovery", turnId: turnIdOf("t1"), at: LATER, resultCode: "interrupted", detail } as const;
		const { turns, ...same } = thread;
		expect(tell(thread, missing)).toMatchObject({ ...same, turns: [{ resultDetail: detail, unresolvedSince: AT }, { status: "running" }] });
		expect(turns).toHaveLength(2);
	});

	it("does not change when more of an earlier run is heard", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), send("t2"), handle("t2"));
		const heard = tell(thread, { ...handle("t1", "run-t1", 9), at: LATER });
		expect(heard).toMatchObject({ updatedAt: AT, turns: [{ status: "unresolved", lastSeq: 9 }, { status: "running" }] });
	});

	it("does not change when the end of an earlier run becomes known", () => {
		const second = ended("t2", (run) => run.end("completed"));
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), send("t2"), handle("t2"), second);
		const late = tell(thread, endsAt("t1", NIGHT));
		expect(late).toMatchObject({ updatedAt: AT, turns: [{ turnId: turnIdOf("t1"), endedAt: NIGHT }, { status: "completed" }] });
	});

	it("is when the newest run ended, also if a later message was turned away, which has no run", () => {
		const thread = tell(freshThread(), send("t1"), handle("t1"), lost("t1"), send("t2", "full"));
		const late = tell(thread, endsAt("t1", NIGHT));
		expect(late).toMatchObject({ updatedAt: NIGHT, turns: [{ endedAt: NIGHT }, { status: "refused" }] });
		const detail = { code: "NOT_FOUND", message: "There is no such run." };
		const missing = { type: "fail_recovery", turnId: turnIdOf("t1"), at: LATER, resultCode: "interrupted", detail } as const;
		expect(tell(thread, missing)).toMatchObject({ updatedAt: LATER, turns: [{ status: "unresolved" }, { status: "refused" }] });
	});
});

it("keeps when the run was asked to stop, of which the app may hear only from the run's end", () => {
	const end = ended("t1", (run) => {
		run.cancelRequested = true;
		return run.end("interrupted", {}, "DEADLINE_EXCEEDED");
	});
	expect(tell(freshThread(), send("t1"), handle("t1"), end)).toMatchObject({ turns: [{ status: "interrupted", stoppingSince: AT }] });
});

/** The app learns at `LATER` that the run ended with a file. */
function endsAt(turn: string, at: string) {
	const end = ended(turn, (run) => {
		run.endedAt = at;
		return run.end("completed", { "report.md": "# hello" });
	});
	return { ...end, at: LATER };
}
