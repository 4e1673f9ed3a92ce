import { expect, it } from "vitest";
import { describeEnd } from "../../../src/cli/words/runs/describe-end.ts";
import type { Thread } from "../../../src/threads/index.ts";
import { timestamp } from "../../../src/threads/thread-repository.ts";
import { holdRestored } from "../../../src/turns/hold-restored.ts";
import { threadState } from "../../../src/ui/turn/thread-state.ts";
import { StoredThreads } from "../../support/stored-threads.ts";
import { freshThread, handle, lost, send, tell, threadId, turnIdOf } from "../../support/thread-story.ts";

function restored(threads: StoredThreads): Thread {
	holdRestored(threads.store, threads.repository);
	return threads.repository.get(threadId);
}

it("never calls a message unsent of which a restored backup does not say whether it was sent", () => {
	using threads = new StoredThreads();
	threads.begin("one");
	const thread = restored(threads);
	const [turn] = thread.turns;
	expect(turn).toMatchObject({ status: "interrupted", resultCode: "interrupted", resultDetail: { code: "STORE_RESTORED" } });
	expect(thread.pendingTurnId).toBeUndefined();
	const listed = threads.store.surface.listed(threadId);
	expect(listed && threadState(listed, false)).toBe("interrupted");
	const lines = turn && describeEnd({ turn, thread }, "/x").join("\n");
	expect(lines).toMatch(/^Interrupted, outcome unknown \(STORE_RESTORED\)\n {2}A backup was restored, so XWorkmate can't tell whether/);
	expect(lines).toContain("Check whether the message was sent. If it wasn't, and you still want it sent, send it again.");
});

it("ends such a message as interrupted, not as refused", () => {
	const detail = { code: "STORE_RESTORED", message: "It may have been sent." };
	const thread = tell(freshThread(), send("one"), { type: "lose", turnId: turnIdOf("one"), at: timestamp(), detail });
	expect(thread.turns).toMatchObject([{ status: "interrupted", resultCode: "interrupted", syncStatus: "failed", resultDetail: detail }]);
});

it("nor one whose bridge had not answered when the backup was made", () => {
	using threads = new StoredThreads();
	threads.begin("one");
	threads.tell([{ ...lost("one"), at: timestamp() }]);
	const thread = restored(threads);
	const [turn] = thread.turns;
	// It is asked about: the restored bridge may know it.
	expect(turn).toMatchObject({ status: "unresolved", resultDetail: { code: "STORE_RESTORED" } });
	const lines = turn && describeEnd({ turn, thread }, "/x").join("\n");
	expect(lines).toMatch(/^Outcome unknown: a backup was restored \(STORE_RESTORED\)\n {2}A backup was restored, so XWorkmate can't tell/);
	expect(lines).toContain("\n  The app will keep asking the bridge until ");
	expect(lines).not.toMatch(/send it again|Check what the run did/);
	const old = turn && { ...turn, unresolvedSince: turn.createdAt.replace(/^\d+/, "2001") as typeof turn.createdAt };
	expect(old && describeEnd({ turn: old, thread }, "/x").join("\n")).toMatch(
		/\n {2}The app has stopped asking the bridge\.\n {2}Check whether the message was sent\. If it wasn't, and you still want it sent, send it again\./,
	);
});

it("nor one that an earlier version called refused then", () => {
	using threads = new StoredThreads();
	threads.begin("one");
	const detail = { code: "STORE_RESTORED", message: "It may have been sent." };
	const { turnId } = threads.repository.get(threadId).turns[0] ?? {};
	if (turnId === undefined) throw new Error("there is no turn");
	threads.tell([{ type: "refuse", turnId, at: threads.repository.get(threadId).createdAt, resultCode: "interrupted", detail }]);
	expect(threads.store.surface.listed(threadId)?.lastTurn?.status).toBe("interrupted");
	expect(threads.store.turnRecords(threadId)[0]?.turn.status).toBe("interrupted");
});

it("follows a message with a run as usual", () => {
	using threads = new StoredThreads();
	threads.begin("one");
	threads.tell([handle("one")]);
	expect(restored(threads).turns[0]?.status).toBe("running");
});
