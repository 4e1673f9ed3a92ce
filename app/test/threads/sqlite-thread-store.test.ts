import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openArtifactContract, TurnId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/app-error.ts";
import { SqliteThreadStore, type Submission, type Thread, type ThreadCommand, type TurnRequest } from "../../src/threads/index.ts";
import { AT, FakeRun, sha256 } from "../support/fake-run.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { ended, freshThread, handle, lost, send, synced, tell, threadId, turnIdOf } from "../support/thread-story.ts";

const request: TurnRequest = {
	prompt: "  summarise this pdf\n\tand keep my spaces  ",
	routing: { executionTarget: "agent" },
	contract: openArtifactContract,
	attachments: [{ name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: sha256("a") }],
};
const submission: Submission = {
	workspaceContext: "TaskThread workspace context\n",
	attachments: [{ name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: sha256("a"), base64: "YQ==" }],
};
const key = { threadId, turnId: turnIdOf("t1") };

/** A store that closes with its test. */
function openStore(path: string): SqliteThreadStore & Disposable {
	const store = new SqliteThreadStore(path);
	return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

function write(store: SqliteThreadStore, before: Thread | undefined, ...commands: readonly ThreadCommand[]): Thread {
	const after = tell(before, ...commands);
	const isNew = after.turns.length > (before?.turns.length ?? 0);
	const snapshot = commands.flatMap((command) => (command.type === "apply_snapshot" ? [command.snapshot] : [])).at(-1);
	store.commit({ before, after, ...(isNew && { created: { request, submission } }), ...(snapshot && { snapshot }) });
	return after;
}

/** Writes a thread with its first turn. */
function begin(store: SqliteThreadStore): Thread {
	return write(store, undefined, { type: "create", threadId, sessionId: freshThread().sessionId, title: "a story", at: AT }, send("t1"));
}

describe("what is written is there", () => {
	it("[T4-36] [T4-76] reads a thread back as it was, the prompt in the person's own characters", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		let thread: Thread;
		{
			using store = openStore(path);
			thread = write(store, begin(store), handle("t1"));
			thread = write(
				store,
				thread,
				ended("t1", (run) => run.end("completed", { "report.md": "# hello" })),
			);
			thread = write(store, thread, synced("t1", ["report.md"]));
		}
		using store = openStore(path);
		expect(store.findThread(threadId)).toEqual(thread);
		expect(store.listThreads({ archived: false, limit: 10 })).toEqual([thread]);
		expect(store.listThreads({ archived: true, limit: 10 })).toEqual([]);
		expect(store.turnRecord(key)).toMatchObject({ request, snapshot: { status: "completed", runId: "run-t1" } });
	});

	it("[T4-77] keeps the context and the attachments' bytes until the bridge has the turn, not longer", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		using store = openStore(path);
		const sent = begin(store);
		expect(store.submission(key)).toEqual(submission);
		write(store, sent, handle("t1"));
		expect(store.submission(key)).toBeUndefined();
		expect(store.turnRecord(key)?.request.attachments).toEqual(request.attachments);
	});

	it("stores each update once, in order of its seq", () => {
		using home = temporaryHome();
		using store = openStore(join(home.path, "app.sqlite"));
		const thread = begin(store);
		const { log } = new FakeRun(threadId, key.turnId, "run-t1").text("a", "b", "c");
		const insert = (items: typeof log) => store.commit({ before: thread, after: thread, updates: { turnId: key.turnId, items } });
		insert(log.slice(0, 3));
		insert(log);
		expect(store.readUpdates(key, 0, 100)).toEqual(log);
		expect(store.readUpdates(key, 2, 1)).toEqual(log.slice(2, 3));
	});

	it("finds turns under way, unresolved ones and runs, and deletes a thread with all that is its own", () => {
		using home = temporaryHome();
		using store = openStore(join(home.path, "app.sqlite"));
		let thread = write(store, begin(store), handle("t1"));
		expect(store.pendingTurns()).toEqual([key]);
		thread = write(store, thread, lost("t1"));
		expect(store.pendingTurns()).toEqual([]);
		expect(store.unresolvedTurns(AT)).toEqual([key]);
		expect(store.unresolvedTurns("2027-01-01T00:00:00.000Z")).toEqual([]);
		expect(store.findRun(new FakeRun(threadId, key.turnId, "run-t1").runId)).toEqual(key);
		store.deleteThread(threadId);
		expect(store.findThread(threadId)).toBeUndefined();
		expect(store.turnRecord(key)).toBeUndefined();
		expect(store.readUpdates({ threadId, turnId: TurnId.parse("t1") }, 0, 10)).toEqual([]);
	});

	it("keeps the first terminal snapshot", () => {
		using home = temporaryHome();
		using store = openStore(join(home.path, "app.sqlite"));
		const first = ended("t1", (run) => run.end("failed", {}, "NO_OUTPUT"));
		const thread = write(store, begin(store), first);
		const second = ended("t1", (run) => run.end("completed"));
		const changed = { ...thread, turns: thread.turns.map((turn) => ({ ...turn })) };
		store.commit({ before: thread, after: changed, snapshot: second.snapshot });
		expect(store.turnRecord(key)?.snapshot).toEqual(first.snapshot);
	});
});

describe("a file that cannot be used", () => {
	it("of a newer version is refused in clear words and left as it is", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		openStore(path).close();
		const db = new Database(path);
		db.pragma("user_version = 99");
		db.pragma("journal_mode = DELETE");
		db.close();
		const bytes = readFileSync(path);
		expect(() => new SqliteThreadStore(path)).toThrow(expect.objectContaining({ code: "APP_DATABASE_NEWER" }));
		expect(readFileSync(path).equals(bytes)).toBe(true);
	});

	it.each([
		[
			"that is no database",
			(bytes: Buffer) => Buffer.from("something else entirely, and long enough to be looked at".repeat(bytes.length / 40)),
		],
		["with a damaged page", (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 4096, 8192)],
	])("%s is refused and left as it is", (_what, damage) => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		openStore(path).close();
		const db = new Database(path);
		db.pragma("journal_mode = DELETE");
		db.close();
		const bytes = damage(readFileSync(path));
		writeFileSync(path, bytes);
		expect(() => new SqliteThreadStore(path)).toThrow(AppError);
		expect(() => new SqliteThreadStore(path)).toThrow(expect.objectContaining({ code: "APP_DATABASE_DAMAGED" }));
		expect(readFileSync(path).equals(bytes)).toBe(true);
	});
});
