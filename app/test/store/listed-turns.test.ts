import { join } from "node:path";
import { Activity, lackingIn, OriginId, openArtifactContract, Snapshot, ThreadId, Unpermitted, unpermittedIn } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { AT } from "../support/fake-run.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { ended, handle, send, synced, threadId } from "../support/thread-story.ts";

const created = (prompt: string) => ({
	request: { prompt, routing: { executionTarget: "agent" } as const, contract: openArtifactContract, attachments: [] },
	submission: { workspaceContext: "", attachments: [] },
});

/** A turn with files, as a thread has many. */
function playTurn(threads: StoredThreads, name: string, prompt: string, answer: string, paths: readonly string[]): void {
	if (threads.store.findThread(threadId) === undefined) threads.begin(name, prompt);
	else threads.tell([send(name)], { created: created(prompt) });
	const files = Object.fromEntries(paths.map((path) => [path, "text"]));
	const end = ended(name, (run) => Object.assign(run, { answer }).end("completed", files));
	threads.tell([handle(name), end], { snapshot: end.snapshot });
	if (paths.length > 0) threads.tell([synced(name, paths)]);
}

/** What the page's list, the command's list and the command's thread call the newest run. */
function said({ store }: StoredThreads, snapshot: Snapshot) {
	return [store.surface.list()[0]?.lacking, store.listedOf(threadId).lacking, lackingIn(snapshot)];
}

function withDatabase<T>(threads: StoredThreads, act: (db: Database.Database) => T): T {
	const db = new Database(join(threads.home, "app.sqlite"));
	try {
		return act(db);
	} finally {
		db.close();
	}
}

describe("the list's row of a thread", () => {
	it("is what its turns say, however they were written", () => {
		const turn = fc.record({
			prompt: fc.string().map((words) => `p${words}`),
			answer: fc.string(),
			paths: fc.uniqueArray(fc.constantFrom("a.md", "b/c.csv", "Ü.txt")),
		});
		fc.assert(
			fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
				using threads = new StoredThreads();
				for (const [index, { prompt, answer, paths }] of turns.entries()) playTurn(threads, `t${index}`, prompt, answer, paths);
				const kept = threads.store.surface.list();
				// As an earlier version left it.
				withDatabase(threads, (db) => db.exec("DELETE FROM listed_turns"));
				expect(threads.store.surface.list()).toEqual(kept);
				expect(kept).toHaveLength(1);
				expect(kept[0]).toMatchObject({ turnCount: turns.length, artifactCount: new Set(turns.flatMap(({ paths }) => paths)).size });
			}),
			{ numRuns: 8 },
		);
	});

	it.each([
		["executed", "denied", "undone"],
		["executed", "unknown", "unknown"],
		["executed", "succeeded", undefined],
		["reported", "failed", undefined],
	] as const)("says whether what its newest run was to do is done: %s, %s", (origin, status, lacking) => {
		using threads = new StoredThreads();
		threads.begin("t1", "delete it");
		const { snapshot, ...end } = ended("t1", (run) => run.end("completed"));
		const item = { toolCallId: "call-1", toolId: "demo.thing.drop", risk: "write", when: AT, words: "", receiptRef: "run-t1.2" };
		const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 0 };
		const activity = { runId: snapshot.runId, asOf: AT, completed: 0, counts, items: [{ ...item, origin, status }], truncated: false };
		const told = Snapshot.parse({ ...snapshot, activity });
		threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
		expect(said(threads, told)).toEqual([lacking, lacking, lacking]);
	});

	it.each([
		["person", "allow_once", "unverified"],
		["discord:ada", "allow_window", "unverified"],
		["window:apr-1", "allow_once", undefined],
		["configuration:provider", "allow_once", undefined],
		["person", "deny", undefined],
		["agent:claude", "allow", undefined],
	] as const)("tells a run whose file did not get the text that %s answered with %s", (by, decision, lacking) => {
		using threads = new StoredThreads();
		threads.begin("t1", "write it");
		const { snapshot, ...end } = ended("t1", (run) => run.end("completed"));
		const call = { toolCallId: "call-1", toolId: "codex:edit", risk: "write", when: AT, words: "a.yml", receiptRef: "run-t1.2" };
		const found = { origin: "reported", status: "succeeded", contradiction: "not_held", approval: { required: true, decision, by } };
		const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 1 };
		const activity = { runId: snapshot.runId, asOf: AT, completed: 0, counts, items: [{ ...call, ...found }], truncated: false };
		const told = Snapshot.parse({ ...snapshot, activity });
		threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
		expect(said(threads, told)).toEqual([lacking, lacking, lacking]);
	});

	it.each(Unpermitted.options.flatMap((one) => Unpermitted.options.map((other) => [one, other] as const)))(
		"says the most serious that its newest run did without permission: %s, %s",
		(one, other) => {
			using threads = new StoredThreads();
			threads.begin("t1", "write it");
			const { snapshot, ...end } = ended("t1", (run) => run.end("cancelled"));
			const call = { toolCallId: "c1", toolId: "codex:edit", risk: "write", when: AT, words: "a.yml", receiptRef: "run-t1.2" };
			const items = [one, other].map((unpermitted) => ({ ...call, origin: "reported", status: "succeeded", unpermitted }));
			const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 2 };
			const activity = Activity.parse({ runId: snapshot.runId, completed: 0, counts, items, truncated: false });
			const told = Snapshot.parse({ ...snapshot, activity });
			threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
			const worst = unpermittedIn(activity);
			expect([threads.store.surface.list()[0]?.unpermitted, threads.store.listedOf(threadId).unpermitted]).toEqual([worst, worst]);
			// A home of the version before, whose lists did not keep this.
			withDatabase(threads, (db) => db.exec("ALTER TABLE listed_turns DROP COLUMN unpermitted; PRAGMA user_version = 18"));
			const opened = new SqliteThreadStore(join(threads.home, "app.sqlite"));
			expect(opened.surface.list()[0]?.unpermitted).toBe(worst);
			opened.close();
		},
	);

	it.each([
		["replaced", "unverified"],
		["unverified", "unverified"],
		["grounded", undefined],
		["no_action", undefined],
	] as const)("tells a run whose answer nothing backs from one that is done: %s", (state, lacking) => {
		using threads = new StoredThreads();
		threads.begin("t1", "delete it");
		const { snapshot, ...end } = ended("t1", (run) => run.end("completed"));
		const told = Snapshot.parse({ ...snapshot, grounding: { state, problems: [] } });
		threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
		expect(said(threads, told)).toEqual([lacking, lacking, lacking]);
	});

	it.each([
		[{ rejectedCount: 2 }, "rejected"],
		[{ rejectedCount: undefined, rejectedArtifacts: [{ path: "a", reason: "symlink" }] }, "rejected"],
		[{ rejectedCount: 1, grounding: { state: "unverified", problems: [] } }, "unverified"],
		[{ rejectedCount: 0 }, undefined],
	] as const)("tells a run of which files were rejected from one of which all are there: %j", (found, lacking) => {
		using threads = new StoredThreads();
		threads.begin("t1", "write it");
		const { snapshot, ...end } = ended("t1", (run) => run.end("completed"));
		const told = Snapshot.parse({ ...snapshot, ...found });
		threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
		expect(said(threads, told)).toEqual([lacking, lacking, lacking]);
	});

	it("says how many files its newest run changed, and whether it did more than read", () => {
		const listed = (risk: "read" | "write", total: number) => {
			using threads = new StoredThreads();
			threads.begin("t1", "do it");
			const { snapshot, ...end } = ended("t1", (run) => run.end("failed"));
			const call = { toolCallId: "c1", toolId: "codex:edit", risk, origin: "reported", when: AT, receiptRef: "run-t1.2" } as const;
			const items = [{ ...call, status: "unknown", words: "Edit it", code: "OUTCOME_UNKNOWN" }];
			const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 1 };
			const activity = { runId: snapshot.runId, completed: 0, counts, items, truncated: false };
			const changed = [{ path: "a.txt", status: "modified" }];
			const edits = total === 0 ? {} : { edits: { place: "folder", directory: "/p", files: changed, total } };
			const told = Snapshot.parse({ ...snapshot, activity, ...edits });
			threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
			const { changedCount, hasActed } = threads.store.surface.list()[0] ?? {};
			return { changedCount, hasActed };
		};
		expect(listed("write", 6)).toEqual({ changedCount: 6, hasActed: true });
		expect(listed("read", 0)).toEqual({ changedCount: undefined, hasActed: undefined });
	});

	it("says how many commands of its newest run failed, and were not run again with success", () => {
		const counted = (...calls: readonly (readonly ["failed" | "succeeded", string])[]) => {
			using threads = new StoredThreads();
			threads.begin("t1", "test it");
			const { snapshot, ...end } = ended("t1", (run) => run.end("completed"));
			const items = calls.map(([status, words], index) => ({
				...{
					toolCallId: `c${index}`,
					toolId: "codex:execute",
					risk: "destructive",
					origin: "reported",
					when: AT,
					receiptRef: `run-t1.${index + 2}`,
				},
				...{ status, words, ...(status === "failed" && { code: "TOOL_FAILED" }) },
			}));
			const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: items.length };
			const told = Snapshot.parse({ ...snapshot, activity: { runId: snapshot.runId, completed: 0, counts, items, truncated: false } });
			threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
			expect(threads.store.listedOf(threadId).failedCommands).toBe(threads.store.surface.list()[0]?.failedCommands);
			return threads.store.listedOf(threadId).failedCommands;
		};
		expect(counted(["failed", "npm test"], ["failed", "make"], ["failed", "make"])).toBe(2);
		expect(counted(["failed", "npm test"], ["succeeded", "npm test"])).toBeUndefined();
		expect(counted(["succeeded", "npm test"], ["failed", "npm test"])).toBe(1);
		expect(counted()).toBeUndefined();
	});

	it("tells a run whose agent reports that it did what was denied", () => {
		using threads = new StoredThreads();
		threads.begin("t1", "delete it");
		const { snapshot, ...end } = ended("t1", (run) => run.end("completed"));
		const item = {
			...{ toolCallId: "c1", toolId: "evil:edit", risk: "write", origin: "reported", status: "succeeded", unpermitted: "denied" },
			...{ when: "2026-11-23T10:00:00.000Z", words: "Write notes.md", receiptRef: "run-1.3" },
		};
		const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 1 };
		const told = Snapshot.parse({ ...snapshot, activity: { runId: "run-1", completed: 0, counts, items: [item], truncated: false } });
		threads.tell([handle("t1"), { ...end, snapshot: told }], { snapshot: told });
		expect(said(threads, told)).toEqual(["unverified", "unverified", "unverified"]);
	});

	it("is read without its turns' answers and files, and without its earlier turns", () => {
		using threads = new StoredThreads();
		for (const name of ["t1", "t2", "t3"]) playTurn(threads, name, `the prompt of ${name}`, `the answer of ${name}`, [`${name}.md`]);
		const listed = threads.store.surface.list();
		expect(listed[0]).toMatchObject({ preview: "the prompt of t3", answer: "the answer of t3", turnCount: 3, artifactCount: 3 });
		withDatabase(threads, (db) => {
			db.exec("DELETE FROM turns WHERE turn_id <> 't3'");
			db.exec("UPDATE turns SET snapshot = 'not JSON', synced_paths = 'not JSON'");
		});
		expect(threads.store.surface.list()).toEqual(listed);
		expect(threads.store.surface.listed(threadId)).toEqual(listed[0]);
	});

	it("does not show the prompt of a plan's run", () => {
		using threads = new StoredThreads();
		playTurn(threads, "t1", "Hello.", "Hello.", []);
		const origin = { kind: "plan", id: OriginId.parse("plan-1") } as const;
		const { request, submission } = created("## Work Items");
		threads.tell([send("t2")], { created: { request: { ...request, origin }, submission } });
		expect(threads.store.surface.list()).toMatchObject([{ turnCount: 2, preview: "" }]);
		withDatabase(threads, (db) =>
			db.exec(
				"UPDATE listed_turns SET preview = '## Work Items'; ALTER TABLE listed_turns DROP COLUMN unpermitted; PRAGMA user_version = 17",
			),
		);
		const opened = new SqliteThreadStore(join(threads.home, "app.sqlite"));
		expect(opened.surface.list()).toMatchObject([{ turnCount: 2, preview: "" }]);
		opened.close();
	});

	it("is counted in steps for the threads of an earlier version", () => {
		using threads = new StoredThreads();
		playTurn(threads, "t1", "prompt", "answer", []);
		withDatabase(threads, (db) => {
			db.exec(`DELETE FROM listed_turns; WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 45)
				INSERT INTO threads SELECT i, 'draft:' || i, session_id, title, lifecycle_status, last_result_code, last_result_detail,
				last_sync_status, last_paths, pending_turn_id, created_at, updated_at FROM threads, n WHERE id = 1`);
		});
		const counted = () => withDatabase(threads, (db) => db.prepare("SELECT count(*) FROM listed_turns").pluck().get());
		expect([threads.store.surface.countTurns(), counted()]).toEqual([25, 20]);
		expect([threads.store.surface.countTurns(), threads.store.surface.countTurns(), counted()]).toEqual([5, 0, 45]);
		expect(threads.store.surface.list().map(({ turnCount }) => turnCount)).toEqual([...Array(44).fill(0), 1]);
	});

	it("appears for a thread of an earlier version when the thread is read alone", () => {
		using threads = new StoredThreads();
		playTurn(threads, "t1", "prompt", "answer", ["a.md"]);
		withDatabase(threads, (db) => db.exec("DELETE FROM listed_turns"));
		expect(threads.store.surface.listed(threadId)).toMatchObject({ turnCount: 1, preview: "prompt", artifactCount: 1 });
		expect(threads.store.surface.listed(ThreadId.parse("draft:unknown"))).toBeUndefined();
	});
});
