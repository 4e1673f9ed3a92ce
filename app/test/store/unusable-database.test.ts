import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { temporaryHome } from "../support/temporary-home.ts";

describe("a database that cannot be used", () => {
	it("of a newer version is refused in clear words and left as it is", () => {
		using home = temporaryHome();
		const path = join(home.path, "app.sqlite");
		new SqliteThreadStore(path).close();
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
		new SqliteThreadStore(path).close();
		const db = new Database(path);
		db.pragma("journal_mode = DELETE");
		db.close();
		const bytes = damage(readFileSync(path));
		writeFileSync(path, bytes);
		expect(() => new SqliteThreadStore(path)).toThrow(AppError);
		expect(() => new SqliteThreadStore(path)).toThrow(expect.objectContaining({ code: "APP_DATABASE_DAMAGED" }));
		expect(readFileSync(path).equals(bytes)).toBe(true);
	});

	it("of another program is refused and left as it is, its write-ahead log included", () => {
		using home = temporaryHome();
		const path = join(home.path, "theirs.sqlite");
		const theirs = new Database(path);
		theirs.pragma("journal_mode = WAL");
		theirs.exec("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
		const copy = join(home.path, "app.sqlite");
		for (const end of ["", "-wal"]) cpSync(path + end, copy + end);
		theirs.close();
		const bytes = () => ["", "-wal"].map((end) => readFileSync(copy + end, "base64"));
		const before = bytes();
		expect(() => new SqliteThreadStore(copy)).toThrow(expect.objectContaining({ code: "APP_DATABASE_DAMAGED" }));
		expect(bytes()).toEqual(before);
	});
});
