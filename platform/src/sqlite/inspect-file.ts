import { existsSync, rmSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { WHOLE_CHECK_BYTES } from "./check-database.ts";
import { DatabaseRefused } from "./database-refused.ts";
import type { DatabaseKind } from "./open-database.ts";

/**
 * Refuses a file that this version must not write to, without changing a byte of it or of its WAL.
 * @throws DatabaseRefused, SqliteError
 */
export function inspectFile(path: string, kind: DatabaseKind): void {
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	// A rollback journal exists only if the very first write was interrupted; SQLite has to roll it back before anything else.
	if (size === 0 || existsSync(`${path}-journal`)) return;
	const hadWal = existsSync(`${path}-wal`);
	const db = new Database(path, { readonly: true, fileMustExist: true });
	try {
		// Another program's version number says nothing about XWorkmate's.
		refuseForeign(db, kind.applicationId);
		refuseNewer(db, kind.migrations.length);
		refuseDamaged(db, size <= (kind.wholeCheckBytes ?? WHOLE_CHECK_BYTES) ? ["1"] : kind.essentialTables);
	} finally {
		db.close();
		if (!hadWal) removeTraces(path);
	}
}

// A read-only connection cannot checkpoint, so it leaves the file and its WAL unchanged; if there was no WAL, it leaves an empty one. Only
// SQLite may open the file: closing another descriptor would drop the process's locks on it (POSIX). The home's lock keeps other writers
// away while the log is removed: otherwise they would keep using a log that no longer exists, while this process writes another.
function removeTraces(path: string): void {
	for (const trace of [`${path}-wal`, `${path}-shm`]) rmSync(trace, { force: true });
}

function refuseNewer(db: Database.Database, newestVersion: number): void {
	const version = Number(db.pragma("user_version", { simple: true }));
	if (version <= newestVersion) return;
	const versions = `schema ${version}; this version supports schema ${newestVersion}`;
	throw new DatabaseRefused("newer", `${db.name} was written by a newer version of XWorkmate (${versions}).`);
}

function refuseForeign(db: Database.Database, applicationId: number): void {
	const tables = Number(db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get());
	if (tables === 0 || db.pragma("application_id", { simple: true }) === applicationId) return;
	throw new DatabaseRefused("foreign", `${db.name} is the database of another program.`);
}

// A file above the size limit is checked only in the small tables that recovery depends on.
function refuseDamaged(db: Database.Database, checks: readonly string[]): void {
	const problem = checks
		.map((argument) => String(db.pragma(`quick_check(${argument})`, { simple: true })))
		.find((result) => result !== "ok");
	if (problem !== undefined) throw new DatabaseRefused("damaged", `${db.name} is damaged (${problem.replaceAll("\n", " ")}).`);
}
