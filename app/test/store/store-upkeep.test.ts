import { join } from "node:path";
import { type SessionUpdate, ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openAppDatabase } from "../../src/store/app-database.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { TrigramIndex } from "../../src/store/trigram-index.ts";
import { FakeRun } from "../support/fake-run.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { threadId, turnIdOf } from "../support/thread-story.ts";

const key = { threadId, turnId: turnIdOf("t1") };

function logOf(words: readonly string[]): readonly SessionUpdate[] {
	return new FakeRun(threadId, key.turnId, "run-t1").text(...words).log;
}

function keep(threads: StoredThreads, items: readonly SessionUpdate[]): void {
	const thread = threads.repository.get(threadId);
	threads.store.commit({ before: thread, after: thread, updates: { turnId: key.turnId, after: 0, items } });
}

/** All steps; how many there were. */
function upkeep(threads: StoredThreads): number {
	let steps = 0;
	threads.store.upkeep.again();
	while (threads.store.upkeep.step()) steps++;
	return steps;
}

function count(threads: StoredThreads, table: string): number {
	const db = new Database(join(threads.home, "app.sqlite"), { readonly: true });
	try {
		return Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
	} finally {
		db.close();
	}
}

describe("updates of an ended turn", () => {
	it("become one row, and are read as before", () => {
		using threads = new StoredThreads();
		threads.begin("t1");
		const log = logOf(Array.from({ length: 300 }, (_, index) => `word ${index} with "quotes"\nand lines ü 💡`));
		keep(threads, log);
		threads.end("t1");
		upkeep(threads);
		expect(count(threads, "updates")).toBe(0);
		expect(count(threads, "packed_updates")).toBe(1);
		expect(threads.store.readUpdates(key, 0, 1_000)).toEqual(log);
	});

	it("stay rows while the turn is active, and after its end those with a gap before them are packed as well", () => {
		using threads = new StoredThreads();
		threads.begin("t1");
		const log = logOf(Array.from({ length: 40 }, (_, index) => `word ${index}`));
		keep(threads, [...log.slice(0, 10), ...log.slice(20)]);
		upkeep(threads);
		expect(count(threads, "packed_updates")).toBe(0);
		threads.end("t1");
		upkeep(threads);
		expect(count(threads, "updates")).toBe(0);
		// What was missing comes late, with what is known already.
		keep(threads, log);
		expect(count(threads, "updates")).toBe(10);
		expect(threads.store.readUpdates(key, 0, 1_000)).toEqual(log);
		upkeep(threads);
		expect(threads.store.readUpdates(key, 5, 20)).toEqual(log.slice(5, 25));
	});

	it("are read the same from any seq and in any number, packed or not", () => {
		using threads = new StoredThreads();
		threads.begin("t1");
		const log = logOf(Array.from({ length: 2_500 }, (_, index) => `${index}`));
		keep(threads, log);
		threads.end("t1");
		upkeep(threads);
		expect(count(threads, "packed_updates")).toBe(3);
		fc.assert(
			fc.property(fc.nat(2_600), fc.integer({ min: 1, max: 1_001 }), (after, limit) => {
				expect(threads.store.readUpdates(key, after, limit)).toEqual(log.slice(after, after + limit));
			}),
			{ numRuns: 30 },
		);
	});

	it("survive a process that ends between any two steps", () => {
		using threads = new StoredThreads();
		threads.begin("t1");
		const log = logOf(Array.from({ length: 2_500 }, (_, index) => `${index}`));
		keep(threads, log);
		threads.end("t1");
		for (let isLeft = true; isLeft; isLeft = threads.store.upkeep.step()) {
			const db = new Database(join(threads.home, "app.sqlite"), { readonly: true });
			// What another connection sees is what a killed process leaves.
			const rows = Number(db.prepare("SELECT count(*) FROM updates").pluck().get());
			const packed = Number(db.prepare("SELECT coalesce(sum(last_seq - first_seq + 1), 0) FROM packed_updates").pluck().get());
			db.close();
			expect(rows + packed).toBe(log.length);
		}
		expect(threads.store.readUpdates(key, 2_400, 1_000)).toEqual(log.slice(2_400));
	});

	it("are packed in steps that are bounded", () => {
		using threads = new StoredThreads();
		threads.begin("t1");
		keep(threads, logOf(Array.from({ length: 5_000 }, () => "x".repeat(200))));
		threads.end("t1");
		expect(upkeep(threads)).toBeGreaterThanOrEqual(5);
		expect(count(threads, "packed_updates")).toBeGreaterThan(8);
	});
});

describe("the index of the searched texts", () => {
	it("takes in the texts of an earlier version, and has nothing left of deleted ones", () => {
		using threads = new StoredThreads();
		threads.begin("t1", "a secretive prompt");
		threads.end("t1");
		const path = join(threads.home, "app.sqlite");
		const db = new Database(path);
		// As the migration leaves an earlier version's texts: none is in the index.
		db.exec("DELETE FROM word_index; DELETE FROM search_words");
		db.exec("UPDATE search_upkeep SET indexed_from = (SELECT max(turn) + 1 FROM search_texts)");
		const terms = () => {
			db.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, word_index, row)");
			const found = db.prepare("SELECT term FROM terms").pluck().all();
			db.exec("DROP TABLE temp.terms");
			return found;
		};
		const find = () => [...exhaust(threads.store.surface.search.slices("secret"))];
		expect(find()).toHaveLength(1);
		upkeep(threads);
		expect(terms()).toContain("secretive");
		expect(find()).toHaveLength(1);
		// As one part, so that merging small parts does not remove the text.
		db.exec("INSERT INTO word_index (word_index) VALUES ('optimize')");
		threads.repository.delete(threadId);
		upkeep(threads);
		expect(terms()).toEqual([]);
		// The two rows that are left say that there are no terms (https://sqlite.org/fts5.html#fts5_data_structures).
		expect(db.prepare("SELECT count(*) FROM word_index_data").pluck().get()).toBe(2);
		expect(find()).toEqual([]);
		db.close();
	});

	it("forgets the words that only a deleted thread had, in every table", () => {
		using threads = new StoredThreads();
		threads.begin("t1", `zyzzyva ${Array.from({ length: 300 }, (_, index) => `common${index}`).join(" ")}`);
		threads.end("t1");
		const other = ThreadId.parse("draft:other");
		const path = join(threads.home, "app.sqlite");
		const db = new Database(path);
		db.exec(
			`INSERT INTO threads SELECT 2, '${other}', 'session-other', title, lifecycle_status, NULL, NULL, NULL, '[]', NULL, created_at, updated_at FROM threads`,
		);
		db.exec(`INSERT INTO turns (id, thread, turn_id, prompt, request, status, last_seq, synced_paths, created_at)
			SELECT 2, 2, turn_id, 'zyzzyva alone common7', '{"attachments":[]}', 'completed', 0, '[]', created_at FROM turns`);
		db.exec("INSERT INTO search_texts VALUES (2, 'zyzzyva alone common7'); UPDATE search_upkeep SET indexed_from = 3");
		upkeep(threads);
		const words = () => db.prepare("SELECT word FROM search_words ORDER BY word").pluck().all();
		expect(words()).toEqual(expect.arrayContaining(["alone", "common299", "zyzzyva"]));
		threads.repository.delete(threadId);
		upkeep(threads);
		expect(words()).toEqual(["alone", "common7", "zyzzyva"]);
		threads.repository.delete(other);
		upkeep(threads);
		expect(words()).toEqual([]);
		expect(tablesWith(db, "zyzzyva")).toEqual([]);
		expect(tablesWith(db, "common7")).toEqual([]);
		db.close();
	});

	it("of an earlier version is dropped in steps, after each of which the database is sound and finds everything", () => {
		using threads = new StoredThreads();
		threads.begin("t1", "a secretive prompt");
		threads.end("t1");
		const path = join(threads.home, "app.sqlite");
		const db = new Database(path);
		const text = db.prepare("INSERT INTO search_index (rowid, folded) VALUES (?, ?)");
		db.transaction(() => {
			for (let turn = 1; turn <= 10_000; turn++) text.run(turn, `the quick ${turn * 7_919} brown ${turn * 104_729}`);
		})();
		const parts = () => {
			const isDropped = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_index_data'").get() === undefined;
			return isDropped ? 0 : count(threads, "search_index_data");
		};
		const all = parts();
		using reopened = new Reopened(path);
		let before = all;
		while (reopened.store.upkeep.step()) {
			expect(before - parts()).toBeLessThan(all / 2);
			before = parts();
			expect(db.pragma("quick_check(1)", { simple: true })).toBe("ok");
			expect([...exhaust(reopened.store.surface.search.slices("secret"))]).toHaveLength(1);
		}
		expect(db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'search_index*'").pluck().all()).toEqual([]);
		db.close();
	});

	it("of an earlier version is dropped without opening the tables of the other to writes", () => {
		using home = temporaryHome();
		const db = openAppDatabase(join(home.path, "app.sqlite"));
		const old = new TrigramIndex(db);
		while (old.drop());
		expect(() => db.exec("DELETE FROM word_index_data")).toThrow("may not be modified");
		db.close();
	});
});

/** A second app on the database, as after a restart. */
class Reopened implements Disposable {
	readonly store: SqliteThreadStore;

	constructor(path: string) {
		this.store = new SqliteThreadStore(path);
	}

	[Symbol.dispose](): void {
		this.store.close();
	}
}

/** The tables that have a text somewhere in a row. */
function tablesWith(db: Database.Database, text: string): readonly string[] {
	const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all().map(String);
	return tables.filter((table) =>
		db
			.prepare(`SELECT * FROM ${table}`)
			.raw()
			.all()
			.some((row) => (row as unknown[]).some((value) => Buffer.from(value instanceof Uint8Array ? value : String(value)).includes(text))),
	);
}

function exhaust<T>(steps: Generator<void, T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}
