import { existsSync, rmSync } from "node:fs";
import { restoreDatabase } from "@xworkmate/contracts";
import { writeDurably } from "@xworkmate/platform/files";
import { type DatabaseRefusal, DatabaseRefused, type Migration, openDatabase } from "@xworkmate/platform/sqlite";
import type Database from "better-sqlite3";
import { StoreError, type StoreErrorCode } from "../../store-error.ts";
import { translated } from "../rows/translate-error.ts";
import { storeMigrations } from "./migrations.ts";

/** Name of the database inside the bridge's home. */
export const DATABASE_FILE = "bridge.sqlite";

/** Tables whose size does not grow with the number of runs. */
const essentialTables = ["sqlite_schema", "change_log", "attempt", "child_process"];

/** "XWMB": distinguishes the bridge's database from others. */
const APPLICATION_ID = 0x58574d42;

const refusals: Readonly<Record<DatabaseRefusal, { readonly code: StoreErrorCode; readonly fix: string }>> = {
	newer: {
		code: "STORE_NEWER",
		fix: "The file was not changed. Start the newer version, or move the file away to start with an empty one.",
	},
	foreign: { code: "STORE_FOREIGN", fix: "The file was not changed. Move it away, or set XWORKMATE_HOME to another folder." },
	damaged: {
		code: "STORE_CORRUPT",
		fix: `The file was not changed. ${restoreDatabase("without its runs")}`,
	},
	migration_failed: {
		code: "STORE_MIGRATION_FAILED",
		fix: "The file was not changed. Start the previous version, and report this as a bug.",
	},
};

/**
 * Opens (or creates) the store's database, and migrates it to the newest schema. A refused file is left unchanged. A file that was
 * passed to `noteDamage` is checked completely, however large it is.
 *
 * @throws StoreError STORE_NEWER, STORE_CORRUPT, STORE_FOREIGN, STORE_MIGRATION_FAILED, STORE_UNAVAILABLE, STORE_FULL
 */
export function openBridgeDatabase(path: string, migrations: readonly Migration[] = storeMigrations): Database.Database {
	return translated(path, () => {
		try {
			const kind = { applicationId: APPLICATION_ID, migrations, essentialTables, prepare: requireSharedMemory };
			const isWhole = existsSync(damageNote(path));
			const db = openDatabase(path, { ...kind, ...(isWhole && { wholeCheckBytes: Number.POSITIVE_INFINITY }) });
			rmSync(damageNote(path), { force: true });
			return db;
		} catch (error) {
			if (!(error instanceof DatabaseRefused)) throw error;
			const { code, fix } = refusals[error.reason];
			throw new StoreError(code, error.message, { file: path, fix, cause: error.cause });
		}
	});
}

/** True if the last process that wrote to the database did not close it: closing it would have removed the write-ahead log. */
export function wasLeftOpen(path: string): boolean {
	return existsSync(`${path}-wal`);
}

/** Records that the open database is damaged, so that the next start does not trust it. */
export function noteDamage(path: string): void {
	writeDurably(damageNote(path), "");
}

function damageNote(path: string): string {
	return `${path}-damaged`;
}

/** Refuses a file system on which the write-ahead log can't use shared memory, because readers use the log while it is being written. */
function requireSharedMemory(db: Database.Database): void {
	if (db.pragma("journal_mode", { simple: true }) === "wal") return;
	throw new StoreError("STORE_UNAVAILABLE", `${db.name} is on a file system without shared memory.`, {
		file: db.name,
		fix: "Set XWORKMATE_HOME to a folder on a local disk.",
	});
}
