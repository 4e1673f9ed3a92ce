import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { isDiskFullCode, systemErrorCode } from "../errors/system-error.ts";
import { makeFolder } from "../files/make-folder.ts";
import { DatabaseRefused } from "./database-refused.ts";
import { inspectFile } from "./inspect-file.ts";

const BUSY_TIMEOUT_MS = 5_000;
const WAL_KEPT_BYTES = 64 * 1024 * 1024;

/** One step of a schema. */
export interface Migration {
	readonly name: string;
	readonly sql: string;
	/** The step neither adds a reference to another row nor removes a row, so the references, which may number millions, are not checked. */
	readonly keepsReferences?: true;
}

export interface DatabaseKind {
	/** Distinguishes the file from other programs' databases. */
	readonly applicationId: number;
	/** In order; the position, from 1, is the version (`user_version`) that the step leads to. New steps are only appended. */
	readonly migrations: readonly Migration[];
	/** Small tables that are checked for damage when the file is too large for a full check. */
	readonly essentialTables: readonly string[];
	/** A file larger than this is not checked as a whole when it is opened. Default: `WHOLE_CHECK_BYTES`. */
	readonly wholeCheckBytes?: number;
	/** Runs before the migrations: registers functions they call, or throws to prevent them. */
	readonly prepare: (db: Database.Database) => void;
}

/**
 * Opens (or creates, directory 0700 and file 0600) a database and brings it to the newest schema.
 * @throws DatabaseRefused, SqliteError, the system's error, or what `prepare` throws
 */
export function openDatabase(path: string, kind: DatabaseKind): Database.Database {
	createPrivately(path);
	inspectFile(path, kind);
	const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
	try {
		makeDurable(db);
		kind.prepare(db);
		migrate(db, kind);
		guard(db);
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

function createPrivately(path: string): void {
	makeFolder(dirname(path));
	// SQLite gives -wal and -shm the mode of the main file.
	if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600));
	else if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}

function makeDurable(db: Database.Database): void {
	db.pragma("journal_mode = WAL");
	// A commit is on disk when it returns, so nothing that the user has seen can be lost.
	db.pragma("synchronous = FULL");
	db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
	// Overwrites freed pages: those of deleted threads contain users' text.
	db.pragma("secure_delete = ON");
}

function guard(db: Database.Database): void {
	db.pragma("foreign_keys = ON");
	// Without this, delete triggers would not run for INSERT OR REPLACE.
	db.pragma("recursive_triggers = ON");
	db.pragma("trusted_schema = OFF");
	db.pragma("cell_size_check = ON");
}

// All steps are one transaction: if one fails, the file is as before, and the version that wrote it still opens it. Foreign keys are off
// during the steps, so that a step can rebuild a table. After each step they are checked, unless it keeps references.
function migrate(db: Database.Database, { migrations, applicationId }: DatabaseKind): void {
	db.pragma("foreign_keys = OFF");
	const current = Number(db.pragma("user_version", { simple: true }));
	if (current >= migrations.length) return;
	db.transaction(() => {
		for (const [index, migration] of migrations.entries()) if (index >= current) step(db, migration, index + 1);
		db.pragma(`user_version = ${migrations.length}`);
		db.pragma(`application_id = ${applicationId}`);
	}).immediate();
}

function step(db: Database.Database, migration: Migration, version: number): void {
	try {
		db.exec(migration.sql);
		if (migration.keepsReferences) return;
		const broken = db.prepare("PRAGMA foreign_key_check").all();
		if (broken.length > 0)
			throw new Error(`foreign key check failed: ${broken.length} broken ${broken.length === 1 ? "reference" : "references"}`);
	} catch (cause) {
		// A full disk is not the step's fault, so the error is passed on unchanged.
		if (isDiskFullCode(systemErrorCode(cause))) throw cause;
		throw new DatabaseRefused("migration_failed", `${db.name} could not be upgraded to schema ${version} (${migration.name}).`, { cause });
	}
}
