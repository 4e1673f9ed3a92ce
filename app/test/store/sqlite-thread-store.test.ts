import { rmSync } from "node:fs";
import { join } from "node:path";
import { openArtifactContract, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { gatewayUnderWay } from "../../src/store/statements.ts";
import type { Submission, Thread, ThreadChange, ThreadCommand, TurnRequest } from "../../src/threads/index.ts";
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
	attachments: [{ name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: sha256("a"), bytes: Buffer.from("a") }],
};
const key = { threadId, turnId: turnIdOf("t1") };

const gatewayRequest: TurnRequest = { ...request, routing: { executionTarget: "gateway" } };

const laneSteps = ["gateway", "gateway waits", "agent", "drain", "accept", "end", "cancel", "lose", "delete"] as const;

/** Threads in a store, and what the queue should be told about them. */
class LaneBook {
	readonly store: SqliteThreadStore;
	readonly #threads = new Map<ThreadId, Thread>();
	readonly #written: { readonly threadId: ThreadId; readonly turnId: TurnId; readonly gateway: boolean }[] = [];

	constructor(path: string) {
		this.store = new SqliteThreadStore(path);
	}

	play(thread: ThreadId, what: (typeof laneSteps)[number]): void {
		const pending = this.#threads.get(thread)?.pendingTurnId;
		const at = AT;
		if (what === "gateway" || what === "gateway waits" || what === "agent") {
			if (pending === undefined) this.#send(thread, what === "gateway waits" ? "wait" : "run", what !== "agent");
		} else if (what === "delete") {
			if (pending !== undefined) return;
			this.store.deleteThread(thread);
			this.#threads.delete(thread);
			for (const each of this.#written.filter((each) => each.threadId === thread)) this.#written.splice(this.#written.indexOf(each), 1);
		} else if (pending !== undefined) {
			const run = new FakeRun(thread, pending, `run-${pending}`);
			const code = "ACP_HTTP_CONNECT_FAILED";
			const commands = {
				drain: { type: "drain", turnId: pending, at },
				accept: { type: "see_handle", turnId: pending, at, handle: { ...run.snapshot(), lastSeq: 1 } },
				end: { type: "apply_snapshot", turnId: pending, at, snapshot: run.end("completed").snapshot() },
				cancel: { type: "request_cancel", turnId: pending, at },
				lose: { type: "fail_recovery", turnId: pending, at, resultCode: code, detail: { code } },
			} as const;
			this.#tell(thread, [commands[what]]);
		}
	}

	expected() {
		const open = new Set(["waiting", "sending", "queued", "running"]);
		return this.#written.flatMap(({ threadId: thread, turnId, gateway }) => {
			const status = this.#threads.get(thread)?.turns.find((turn) => turn.turnId === turnId)?.status;
			if (!gateway || status === undefined || !open.has(status)) return [];
			return [{ threadId: thread, turnId, waits: status === "waiting" }];
		});
	}

	#send(thread: ThreadId, admission: "run" | "wait", gateway: boolean): void {
		const turnId = TurnId.parse(`turn-${this.#written.length}-${thread}`);
		const create = { type: "create", threadId: thread, sessionId: SessionId.parse(thread), title: "x", at: AT } as const;
		const created = { request: gateway ? gatewayRequest : request, submission };
		this.#tell(thread, [create, { type: "send", turnId, at: AT, admission }], { created });
		this.#written.push({ threadId: thread, turnId, gateway });
	}

	#tell(thread: ThreadId, commands: readonly ThreadCommand[], extras: Pick<ThreadChange, "created"> = {}): void {
		const before = this.#threads.get(thread);
		const after = tell(before, ...commands);
		if (after !== before) this.store.commit({ before, after, ...extras });
		this.#threads.set(thread, after);
	}
}

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

	it("[T4-77] keeps the context until the bridge has the turn, not longer", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		using store = openStore(path);
		const sent = begin(store);
		expect(store.submission(key)).toEqual(submission);
		write(store, sent, handle("t1"));
		expect(store.submission(key)).toBeUndefined();
		expect(store.turnRecord(key)?.request.attachments).toEqual(request.attachments);
	});

	it("keeps attached bytes as long as the turn may be tried again: until it succeeds or another follows", () => {
		using home = temporaryHome();
		using store = openStore(join(home.path, "app.sqlite"));
		const begun = write(store, begin(store), handle("t1"));
		const failed = write(
			store,
			begun,
			ended("t1", (run) => run.end("failed")),
		);
		expect(store.keptAttachments(key)).toEqual(submission.attachments);
		expect([...store.surface.keptAttachments(threadId)]).toEqual([[key.turnId, ["a.txt"]]]);
		const second = write(store, failed, send("t2"));
		expect(store.keptAttachments(key)).toEqual([]);
		const next = { threadId, turnId: turnIdOf("t2") };
		expect(store.keptAttachments(next)).toEqual(submission.attachments);
		write(
			store,
			write(store, second, handle("t2")),
			ended("t2", (run) => run.end("completed")),
		);
		expect(store.keptAttachments(next)).toEqual([]);
	});

	it("stores each update once, in order of its seq", () => {
		using home = temporaryHome();
		using store = openStore(join(home.path, "app.sqlite"));
		const thread = begin(store);
		const { log } = new FakeRun(threadId, key.turnId, "run-t1").text("a", "b", "c");
		const insert = (items: typeof log) => store.commit({ before: thread, after: thread, updates: { turnId: key.turnId, after: 0, items } });
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

	it("[T4-08] finds the queue's turns in the order they were written, whatever happened since, and after a restart", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.nat(5), fc.constantFrom(...laneSteps)), { maxLength: 25, size: "max" }), (steps) => {
				for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
				const gatewayQueue = new LaneBook(path);
				for (const [thread, what] of steps) gatewayQueue.play(ThreadId.parse(`thread-${thread}`), what);
				const before = gatewayQueue.store.gatewayTurns();
				expect(before).toEqual(gatewayQueue.expected());
				gatewayQueue.store.close();
				using reopened = openStore(path);
				expect(reopened.gatewayTurns()).toEqual(before);
				const waiting = before.filter(({ waits }) => waits);
				for (const each of waiting) expect(reopened.submission(each)).toEqual(submission);
			}),
			{ numRuns: 25 },
		);
	});

	it("[T4-54] keeps the words of a turn that was turned away, and not what nobody will send", () => {
		using home = temporaryHome();
		using store = openStore(join(home.path, "app.sqlite"));
		const created = { request: gatewayRequest, submission };
		const after = tell(freshThread(), send("t1", "full"));
		store.commit({ before: undefined, after, created });
		expect(store.findThread(threadId)).toEqual(after);
		expect(store.turnRecord(key)).toMatchObject({ request: gatewayRequest, turn: { resultCode: "OPENCLAW_GATEWAY_QUEUE_FULL" } });
		expect(store.submission(key)).toBeUndefined();
		expect(store.gatewayTurns()).toEqual([]);
	});

	it("of an earlier version gets the queue's index, and the queue uses it", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		const first = openStore(path);
		begin(first);
		first.close();
		const old = new Database(path);
		old.exec(
			"DROP TABLE listed_turns; DROP TABLE packed_updates; DROP TRIGGER turn_not_searched; DROP TABLE search_index; DROP TABLE word_index; DROP TABLE search_words; DROP TABLE search_upkeep; DROP TABLE search_texts; DROP TABLE deleted_threads; DROP TABLE thread_marks; ALTER TABLE turns DROP COLUMN stopped_after_ms; ALTER TABLE turns DROP COLUMN synced_at; ALTER TABLE turns DROP COLUMN stopping_since",
		);
		old.exec(
			"DROP INDEX turns_of_gateway; DROP TABLE bridge_changes; DROP TABLE draft_files; DROP TABLE drafts; DROP TABLE queued_messages; DROP TABLE ui_sessions; DROP TABLE ui_links; PRAGMA user_version = 1",
		);
		old.close();
		openStore(path).close();
		const db = new Database(path);
		const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT id FROM turns WHERE ${gatewayUnderWay} ORDER BY id`).all();
		db.close();
		expect(JSON.stringify(plan)).toContain("turns_of_gateway");
	});

	it("names ready threads whose last run's files are not all here", () => {
		using home = temporaryHome();
		using store = openStore(join(home.path, "app.sqlite"));
		const done = ended("t1", (run) => run.end("completed", { "report.md": "# hello" }));
		let thread = write(store, begin(store), done, synced("t1", [], "partial"));
		expect(store.partialThreads(AT)).toEqual([threadId]);
		expect(store.partialThreads("2027-01-01T00:00:00.000Z")).toEqual([]);
		thread = write(store, thread, { type: "start_sync", at: AT });
		expect(store.partialThreads(AT)).toEqual([]);
		write(store, thread, synced("t1", ["report.md"]));
		expect(store.partialThreads(AT)).toEqual([]);
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
