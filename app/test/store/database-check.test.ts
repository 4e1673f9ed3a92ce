import { closeSync, cpSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ChangeCursor } from "@xworkmate/contracts";
import { WHOLE_CHECK_BYTES } from "@xworkmate/platform/sqlite";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { DatabaseCheck, needsCheck } from "../../src/store/database-check.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { temporaryHome } from "../support/temporary-home.ts";

/** A database that is larger than what is checked when it is opened; its last table is damaged when `damaged`. */
function largeDatabase(home: string, damaged: boolean): string {
	const path = join(home, "app.sqlite");
	new SqliteThreadStore(path).close();
	const db = new Database(path);
	db.exec("CREATE TABLE large (bytes BLOB NOT NULL)");
	const bytes = Buffer.alloc(WHOLE_CHECK_BYTES / 16, 1);
	for (let count = 0; count < 18; count++) db.prepare("INSERT INTO large VALUES (?)").run(bytes);
	db.exec("CREATE TABLE last (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
	db.exec("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO last SELECT i, 'some text' FROM n");
	db.pragma("wal_checkpoint(TRUNCATE)");
	const { size } = statSync(path);
	db.close();
	if (damaged) {
		const file = openSync(path, "r+");
		writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, size - 8 * 4096);
		closeSync(file);
	}
	return path;
}

describe("the check of a large database", () => {
	it("is due after a process that did not close it, and not after one that did", () => {
		using home = temporaryHome();
		const path = largeDatabase(home.path, false);
		expect(needsCheck(path)).toBe(false);
		const store = new SqliteThreadStore(path);
		store.keepChangesCursor(ChangeCursor.parse("ab-1"));
		const copy = join(home.path, "killed.sqlite");
		for (const end of ["", "-wal"]) cpSync(path + end, copy + end);
		store.close();
		expect(needsCheck(copy)).toBe(true);
		expect(needsCheck(path)).toBe(false);
	});

	it("does not keep the app from opening, and tells of damage afterwards without changing anything", async () => {
		using home = temporaryHome();
		const path = largeDatabase(home.path, true);
		const bytes = readFileSync(path);
		const store = new SqliteThreadStore(path);
		const faults: unknown[] = [];
		const check = new DatabaseCheck(path, (error) => faults.push(error));
		await check.run();
		expect(check.damage).toMatchObject({ code: "APP_DATABASE_DAMAGED", message: `${path} is damaged.` });
		expect(faults).toEqual([check.damage]);
		store.close();
		expect(readFileSync(path).equals(bytes)).toBe(true);
	});

	it("finds nothing in one that is whole, and says nothing when it is stopped", async () => {
		using home = temporaryHome();
		const path = largeDatabase(home.path, false);
		const faults: unknown[] = [];
		const check = new DatabaseCheck(path, (error) => faults.push(error));
		await check.run();
		const stopped = check.run();
		check.close();
		await stopped;
		expect(check.damage).toBeUndefined();
		expect(faults).toEqual([]);
	});
});
