import { existsSync, rmSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { StoreError } from "../../store-error.ts";
import { translated } from "../rows/translate-error.ts";

/** "XWMB": tells the bridge's database from anyone else's. */
export const APPLICATION_ID = 0x58574d42;

// A whole quick_check reads the file once; beyond this size a start would wait for seconds.
const WHOLE_CHECK_BYTES = 256 * 1024 * 1024;

/**
 * Refuses a file that this version must not write to, without changing a byte of it or of its WAL.
 *
 * @throws StoreError STORE_CORRUPT, STORE_NEWER, STORE_FOREIGN, STORE_UNAVAILABLE
 */
export function inspectFile(path: string, newestVersion: number): void {
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	// A rollback journal is there only if the very first write was cut short: SQLite must undo it first.
	if (size === 0 || existsSync(`${path}-journal`)) return;
	const hadWal = existsSync(`${path}-wal`);
	translated(path, () => {
		const db = new Database(path, { readonly: true, fileMustExist: true });
		try {
			refuseNewer(db, path, newestVersion);
			refuseForeign(db, path);
			refuseDamaged(db, path, size);
		} finally {
			db.close();
			if (!hadWal) removeTraces(path);
		}
	});
}

// A read-only connection cannot checkpoint, so it leaves the file and its WAL as they are; where there was
// no WAL it leaves an empty one. The file is never opened by anything but SQLite: closing another
// descriptor would drop the process's locks on it (POSIX).
function removeTraces(path: string): void {
	for (const trace of [`${path}-wal`, `${path}-shm`]) rmSync(trace, { force: true });
}

function refuseNewer(db: Database.Database, path: string, newestVersion: number): void {
	const version = Number(db.pragma("user_version", { simple: true }));
	if (version <= newestVersion) return;
	throw new StoreError("STORE_NEWER", `${path} was written by a newer version (schema ${version}, this version knows ${newestVersion}).`, {
		file: path,
		fix: "It was not changed. Start the newer version, or move the file away to start with an empty one.",
	});
}

function refuseForeign(db: Database.Database, path: string): void {
	const tables = Number(db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get());
	if (tables === 0 || db.pragma("application_id", { simple: true }) === APPLICATION_ID) return;
	throw new StoreError("STORE_FOREIGN", `${path} is the database of another program.`, {
		file: path,
		fix: "It was not changed. Move it away, or set XWORKMATE_HOME to another folder.",
	});
}

// Above the bound only the small tables that recovery rests on are read.
function refuseDamaged(db: Database.Database, path: string, size: number): void {
	const checks = size <= WHOLE_CHECK_BYTES ? ["1"] : ["run_state", "session", "approval"];
	const problem = checks
		.map((argument) => String(db.pragma(`quick_check(${argument})`, { simple: true })))
		.find((result) => result !== "ok");
	if (problem === undefined) return;
	throw new StoreError("STORE_CORRUPT", `${path} is damaged (${problem}).`, {
		file: path,
		fix: "It was not changed. Restore it from a backup, or move it away (with its -wal and -shm files) to start with an empty one.",
	});
}
