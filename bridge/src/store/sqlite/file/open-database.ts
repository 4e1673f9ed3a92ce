import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { StoreError } from "../../store-error.ts";
import { translated } from "../rows/translate-error.ts";
import { APPLICATION_ID, inspectFile } from "./inspect-file.ts";
import { type Migration, storeMigrations } from "./migrations.ts";

const BUSY_TIMEOUT_MS = 5_000;
const WAL_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Opens (or creates, directory 0700 and file 0600) the store's database and brings it to the newest schema.
 * A file it refuses keeps every byte.
 *
 * @throws StoreError STORE_NEWER, STORE_CORRUPT, STORE_FOREIGN, STORE_MIGRATION_FAILED, STORE_UNAVAILABLE, STORE_FULL
 */
export function openDatabase(path: string, migrations: readonly Migration[] = storeMigrations): Database.Database {
	return translated(path, () => {
		createPrivately(path);
		inspectFile(path, migrations.length);
		const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
		try {
			makeDurable(db, path);
			migrate(db, path, migrations);
			guard(db);
			return db;
		} catch (error) {
			db.close();
			throw error;
		}
	});
}

function createPrivately(path: string): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	// SQLite gives -wal and -shm the mode of the main file.
	if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600));
	else if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}

function makeDurable(db: Database.Database, path: string): void {
	if (db.pragma("journal_mode = WAL", { simple: true }) !== "wal") {
		throw new StoreError("STORE_UNAVAILABLE", `${path} is on a file system without shared memory.`, {
			file: path,
			fix: "Set XWORKMATE_HOME to a folder on a local disk.",
		});
	}
	// A commit is on the disk when it returns, so nothing that has been shown is ever lost.
	db.pragma("synchronous = FULL");
	db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
	// Deleted threads hold people's words: their pages are overwritten.
	db.pragma("secure_delete = ON");
}

function guard(db: Database.Database): void {
	db.pragma("foreign_keys = ON");
	// Delete triggers also fire for INSERT OR REPLACE.
	db.pragma("recursive_triggers = ON");
	db.pragma("trusted_schema = OFF");
	db.pragma("cell_size_check = ON");
}

// Foreign keys are off during a step, so that it can rebuild a table; they are checked before it commits.
function migrate(db: Database.Database, path: string, migrations: readonly Migration[]): void {
	db.pragma("foreign_keys = OFF");
	const current = Number(db.pragma("user_version", { simple: true }));
	for (const [index, migration] of migrations.entries()) {
		if (index < current) continue;
		db.transaction(() => step(db, path, migration, index + 1)).immediate();
	}
}

function step(db: Database.Database, path: string, migration: Migration, version: number): void {
	try {
		db.exec(migration.sql);
		const broken = db.prepare("PRAGMA foreign_key_check").all();
		if (broken.length > 0) throw new Error(`${broken.length} rows refer to nothing`);
	} catch (error) {
		throw new StoreError("STORE_MIGRATION_FAILED", `${path} could not be upgraded to schema ${version} (${migration.name}).`, {
			file: path,
			fix: "It was not changed. Start the previous version, and report this.",
			cause: error,
		});
	}
	db.pragma(`user_version = ${version}`);
	db.pragma(`application_id = ${APPLICATION_ID}`);
}
