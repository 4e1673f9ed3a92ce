import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openBridgeDatabase } from "../../src/store/sqlite/file/bridge-database.ts";
import { storeMigrations } from "../../src/store/sqlite/file/migrations.ts";
import { DATABASE_FILE, openSqliteStore, StoreError } from "../../src/store/sqlite/index.ts";
import { createPlanStore } from "../../src/store/sqlite/tables/plan-store.ts";
import { createRunLogStore } from "../../src/store/sqlite/tables/run-log-store.ts";
import { deleteThread } from "./contracts/delete-thread.ts";
import { duePlan } from "./contracts/plan-fixture.ts";
import { acceptance, appendOf, approval, artifact, runRecord, said, sealing, time } from "./contracts/run-fixture.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** What opening the database throws; fails when it opens. */
function refusal(path: string, open: (path: string) => Database.Database = openBridgeDatabase): StoreError {
	try {
		open(path).close();
	} catch (error) {
		if (error instanceof StoreError) return error;
		throw error;
	}
	throw new Error("the database was opened");
}

async function filledStore(home: string, events = 400): Promise<string> {
	const store = openSqliteStore(home);
	const record = runRecord("run-1");
	await store.log.insertRun(record, acceptance(record));
	const added = Array.from({ length: events }, (_, index) => said(index + 2, "x".repeat(500)));
	await store.log.append([appendOf(record, added)]);
	store.close();
	return join(home, DATABASE_FILE);
}

function expectUntouched(path: string, code: StoreError["code"]): void {
	const before = { hash: hashOf(path), folder: readdirSync(join(path, "..")) };
	const error = refusal(path);
	expect(error.code).toBe(code);
	expect(error.message).toContain(path);
	expect(error.message).toContain(error.fix);
	// The app shows the last line that a bridge has said.
	expect(error.message).not.toContain("\n");
	expect({ hash: hashOf(path), folder: readdirSync(join(path, "..")) }).toEqual(before);
}

describe("opening the database", () => {
	it("creates the directory and the files for their owner alone", async () => {
		await using scratch = await scratchDirectory();
		const home = join(scratch.path, "a home", "bridge");
		const db = openBridgeDatabase(join(home, DATABASE_FILE));
		db.exec("INSERT INTO child_process VALUES (1, '1', 'x')");
		const modes = readdirSync(home).map((name) => statSync(join(home, name)).mode & 0o777);
		expect(modes).toEqual([0o600, 0o600, 0o600]);
		expect(statSync(home).mode & 0o777).toBe(0o700);
		db.close();
	});

	it("is durable at each commit and keeps the rules of the schema", async () => {
		await using scratch = await scratchDirectory();
		const db = openBridgeDatabase(join(scratch.path, DATABASE_FILE));
		const settings = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "user_version"];
		expect(settings.map((name) => db.pragma(name, { simple: true }))).toEqual(["wal", 2, 1, 5000, storeMigrations.length]);
		db.close();
	});

	it("takes an empty file, as an interrupted creation leaves it, as a new one", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		writeFileSync(path, "");
		openBridgeDatabase(path).close();
		expect(statSync(path).size).toBeGreaterThan(0);
	});

	it("opens an intact file of an earlier process, its WAL included", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		const earlier = openBridgeDatabase(path);
		earlier.exec("INSERT INTO child_process VALUES (1, '1', 'x')");
		const copy = join(scratch.path, "killed", DATABASE_FILE);
		for (const end of ["", "-wal"]) cpSync(path + end, copy + end);
		earlier.close();
		const db = openBridgeDatabase(copy);
		expect(db.prepare("SELECT count(*) FROM child_process").pluck().get()).toBe(1);
		db.close();
	});
});

describe("refusing a file", () => {
	it("refuses one of a newer version", async () => {
		await using scratch = await scratchDirectory();
		const path = await filledStore(scratch.path);
		const newer = [...storeMigrations, { name: "of the future", sql: "CREATE TABLE future (x)" }];
		openBridgeDatabase(path, newer).close();
		expectUntouched(path, "STORE_NEWER");
	});

	it("refuses one whose newer version stands in the WAL alone, and keeps the WAL", async () => {
		await using scratch = await scratchDirectory();
		const path = await filledStore(scratch.path);
		const newer = new Database(path);
		newer.pragma(`user_version = ${storeMigrations.length + 1}`);
		const copy = join(scratch.path, "killed", DATABASE_FILE);
		for (const end of ["", "-wal"]) cpSync(path + end, copy + end);
		newer.close();
		const before = [hashOf(copy), hashOf(`${copy}-wal`)];
		expect(refusal(copy).code).toBe("STORE_NEWER");
		expect([hashOf(copy), hashOf(`${copy}-wal`)]).toEqual(before);
	});

	it("refuses what is no database", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		writeFileSync(path, "this is a letter to somebody, not a database\n".repeat(200));
		expectUntouched(path, "STORE_CORRUPT");
	});

	it.each([2, 10, 20])("refuses one whose page %i was torn", async (page) => {
		await using scratch = await scratchDirectory();
		const path = await filledStore(scratch.path);
		const bytes = readFileSync(path);
		bytes.fill(0xff, page * 4096, page * 4096 + 2048);
		writeFileSync(path, bytes);
		expectUntouched(path, "STORE_CORRUPT");
	});

	it("refuses one that was cut short", async () => {
		await using scratch = await scratchDirectory();
		const path = await filledStore(scratch.path);
		truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096);
		expectUntouched(path, "STORE_CORRUPT");
	});

	it("refuses the database of another program", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		new Database(path).exec("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").close();
		expectUntouched(path, "STORE_FOREIGN");
		new Database(path).exec("PRAGMA user_version = 999999").close();
		expectUntouched(path, "STORE_FOREIGN");
	});

	it("refuses one without a table of its version", async () => {
		await using scratch = await scratchDirectory();
		const path = await filledStore(scratch.path, 1);
		new Database(path).exec("DROP TABLE child_process").close();
		expect(() => openSqliteStore(scratch.path)).toThrow(StoreError);
	});

	it("names a place that cannot hold a file", async () => {
		await using scratch = await scratchDirectory();
		const file = join(scratch.path, "file");
		writeFileSync(file, "");
		expect(refusal(join(file, DATABASE_FILE)).code).toBe("STORE_UNAVAILABLE");
	});
});

describe("migrations", () => {
	const addColumn = { name: "a note", sql: "ALTER TABLE child_process ADD COLUMN note TEXT NOT NULL DEFAULT 'none'" };

	it("brings a file of version 1 to the newest, its rows kept", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		const old = openBridgeDatabase(path, storeMigrations.slice(0, 1));
		old.exec("INSERT INTO child_process VALUES (7, '1', 'goose')");
		old.close();
		const db = openBridgeDatabase(path, [...storeMigrations, addColumn]);
		expect(db.pragma("user_version", { simple: true })).toBe(storeMigrations.length + 1);
		expect(db.prepare("SELECT pid, note FROM child_process").all()).toEqual([{ pid: 7, note: "none" }]);
		db.close();
	});

	it("finds the deliveries and the runs of a file of version 1", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		const record = runRecord("run-1");
		const { summary } = sealing(record, 2, [artifact(record, "report.md")]);
		const old = openBridgeDatabase(path, storeMigrations.slice(0, 1));
		old.prepare("INSERT INTO run VALUES (1, ?, ?, ?, ?)").run(record.runId, record.threadId, record.turnId, JSON.stringify(record));
		old.prepare("INSERT INTO run_state VALUES (1, ?, 'completed', ?)").run(record.threadId, JSON.stringify(summary));
		old.exec("INSERT INTO artifact VALUES (1, 'report.md', '{}')");
		old.close();
		const migrated = openSqliteStore(scratch.path);
		expect(await migrated.artifacts.lastArtifactRun(record.threadId)).toBe(record.runId);
		expect((await migrated.changes.read(undefined, 10)).items).toMatchObject([{ change: { kind: "run", run: { runId: record.runId } } }]);
		migrated.close();
	});

	it("finds the grants in force and the kept bytes of a file of version 4", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		const old = openBridgeDatabase(path, storeMigrations.slice(0, 4));
		const [one, two, three] = [runRecord("run-1"), runRecord("run-2"), runRecord("run-3")];
		for (const [index, { runId, threadId, turnId }] of [one, two, three].entries()) {
			old.prepare("INSERT INTO run VALUES (?, ?, ?, ?, '{}')").run(index + 1, runId, threadId, turnId);
			old.prepare("INSERT INTO run_state VALUES (?, ?, 'completed', '{}')").run(index + 1, threadId);
		}
		old.exec(`INSERT INTO run_bytes VALUES (1, '${time(1)}', 5, 1), (2, '${time(2)}', 7, 0), (3, '${time(3)}', 9, 0)`);
		const window = { state: "decided", decision: "allow_window", windowSeconds: 600, decidedAt: time(2) } as const;
		const given = [
			approval("granted", one, window),
			approval("revoked", one, { ...window, revokedAt: time(3) }),
			approval("once", one, { ...window, decision: "allow_once" }),
			approval("asked", one),
		];
		const insert = old.prepare(
			"INSERT INTO approval (approval_id, run, thread_id, state, decision, decided_at, body) VALUES (?, 1, ?, ?, ?, ?, ?)",
		);
		for (const { approvalId, threadId, state, decision = null, decidedAt = null, ...rest } of given) {
			const body = JSON.stringify({ approvalId, threadId, state, decision, decidedAt, ...rest });
			insert.run(approvalId, threadId, state, decision, decidedAt, body);
		}
		old.close();
		const store = openSqliteStore(scratch.path);
		const inForce = async (second: number) =>
			(await store.approvals.grants({ now: Date.parse(time(second)) })).map((one) => one.approvalId);
		expect([await inForce(601), await inForce(610)]).toEqual([["granted"], []]);
		expect(await store.artifacts.expiredWithBytes(10)).toEqual([]);
		const now = Date.parse(time(4));
		await store.artifacts.expire({ maxAgeMs: 1_000_000, maxBytes: 16, now }, 10);
		expect(await store.artifacts.expiredWithBytes(10)).toEqual([]);
		await store.artifacts.expire({ maxAgeMs: 1_000_000, maxBytes: 15, now }, 10);
		expect(await store.artifacts.expiredWithBytes(10)).toEqual([two.runId]);
		store.close();
	});

	it("brings a file of version 7 to plans, its runs kept, and makes one in it", async () => {
		await using scratch = await scratchDirectory();
		const path = join(scratch.path, DATABASE_FILE);
		const old = openBridgeDatabase(path, storeMigrations.slice(0, 7));
		withReceiptIndex(old);
		const log = createRunLogStore(old);
		const record = runRecord("run-1");
		await log.insertRun(record, acceptance(record));
		old.close();
		const store = openSqliteStore(scratch.path);
		expect(await store.log.readEvents(record.runId, 0, 9)).toHaveLength(1);
		expect(await store.plans.countPlans()).toBe(0);
		const epoch = await store.plans.beginEpoch(time(1));
		await duePlan(store.plans, "p1", epoch);
		expect(await store.plans.claimable(time(60), 9)).toHaveLength(1);
		store.close();
	});

	it("brings a file of version 8 to news of messages, its plans kept", async () => {
		await using scratch = await scratchDirectory();
		const old = openBridgeDatabase(join(scratch.path, DATABASE_FILE), storeMigrations.slice(0, 8));
		withReceiptIndex(old);
		const plans = createPlanStore(old);
		const planId = await duePlan(plans, "p1", await plans.beginEpoch(time(1)), { delivery: [{ channel: "whatsapp", content: "Hello" }] });
		const [action] = (await plans.find(planId))?.newest?.delivery ?? [];
		old.close();
		const store = openSqliteStore(scratch.path);
		expect(await store.plans.claimable(time(60), 9)).toHaveLength(1);
		expect(await store.channels.findAction(action?.actionId ?? (() => expect.fail("no message"))(), "whatsapp")).toMatchObject({ planId });
		expect(await store.channels.waiting(9)).toEqual([]);
		store.close();
	});

	it("undoes a step that fails as a whole, and the former version still opens the file", async () => {
		await using scratch = await scratchDirectory();
		const path = await filledStore(scratch.path);
		const broken = { name: "half a step", sql: `${addColumn.sql}; INSERT INTO nowhere VALUES (1)` };
		expect(refusal(path, (file) => openBridgeDatabase(file, [...storeMigrations, broken])).code).toBe("STORE_MIGRATION_FAILED");
		const db = openBridgeDatabase(path);
		expect(db.prepare("SELECT name FROM pragma_table_info('child_process')").pluck().all()).not.toContain("note");
		expect(db.prepare("SELECT count(*) FROM event").pluck().get()).toBe(401);
		db.close();
	});

	it("undoes a step that leaves rows referring to nothing", async () => {
		await using scratch = await scratchDirectory();
		const path = await filledStore(scratch.path);
		const orphan = { name: "an orphan", sql: "INSERT INTO run_bytes (run, ended_at, total_bytes) VALUES (999, '', 1)" };
		expect(refusal(path, (file) => openBridgeDatabase(file, [...storeMigrations, orphan])).code).toBe("STORE_MIGRATION_FAILED");
	});
});

describe("deletion", () => {
	it("leaves no word of a deleted thread in the file", async () => {
		await using scratch = await scratchDirectory();
		const store = openSqliteStore(scratch.path);
		const record = runRecord("run-1", "thread-1", "a very private sentence");
		await store.log.insertRun(record, acceptance(record));
		await store.log.append([appendOf(record, [said(2, "an answer to the private sentence")])]);
		await deleteThread(store, record.threadId);
		store.close();
		expect(existsSync(join(scratch.path, `${DATABASE_FILE}-wal`))).toBe(false);
		expect(readFileSync(join(scratch.path, DATABASE_FILE)).includes("private sentence")).toBe(false);
	});
});

/** What writers of this version need besides an old file's tables; it is gone with the connection. */
function withReceiptIndex(db: ReturnType<typeof openBridgeDatabase>): void {
	db.exec("CREATE TEMP TABLE plan_receipt (id INTEGER PRIMARY KEY, plan INTEGER, n INTEGER, seq INTEGER, at TEXT, type TEXT, action TEXT)");
}
