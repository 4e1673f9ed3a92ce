import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import Database from "better-sqlite3";
import { StoreError } from "../store-error.ts";
import { translated, translateError } from "./rows/translate-error.ts";

const LOCK_FILE = "lock";
const OWNER_FILE = "lock.owner";

/** Ownership of a home directory, until it is disposed of or the process ends, however it ends. */
export interface HomeLock extends Disposable {
	readonly directory: string;
}

// A connection without references is closed by the garbage collector, which releases its lock.
const held = new Set<Database.Database>();

/**
 * Takes a home directory for this process. The lock is an exclusive SQLite transaction on `<directory>/lock`,
 * so the kernel gives it back even after a kill -9.
 *
 * @throws StoreError HOME_IN_USE (with the owner's pid when known), STORE_UNAVAILABLE
 */
export function acquireHomeLock(directory: string): HomeLock {
	const db = translated(directory, () => openLock(directory));
	try {
		// Nothing is ever written, so no journal is needed beside the lock.
		db.pragma("journal_mode = MEMORY");
		db.exec("BEGIN EXCLUSIVE");
		writeOwner(directory);
	} catch (error) {
		db.close();
		throw isBusy(error) ? inUse(directory) : translateError(error, join(directory, LOCK_FILE));
	}
	held.add(db);
	return { directory, [Symbol.dispose]: () => release(db, directory) };
}

// Only SQLite opens the lock file: closing any other descriptor of it would drop the lock (POSIX).
function openLock(directory: string): Database.Database {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	const path = join(directory, LOCK_FILE);
	const db = new Database(path, { timeout: 0 });
	chmodSync(path, 0o600);
	return db;
}

function release(db: Database.Database, directory: string): void {
	if (!held.delete(db)) return;
	rmSync(join(directory, OWNER_FILE), { force: true });
	db.close();
}

function isBusy(error: unknown): boolean {
	return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

function inUse(directory: string): StoreError {
	const pid = readOwner(directory);
	const owner = pid === undefined ? "another process" : `the process ${pid}`;
	return new StoreError("HOME_IN_USE", `${directory} is in use by ${owner}.`, {
		file: directory,
		fix: "Use that process, stop it first, or set XWORKMATE_HOME to another folder.",
	});
}

function writeOwner(directory: string): void {
	const path = join(directory, OWNER_FILE);
	writeFileSync(`${path}.new`, `${process.pid}\n`, { mode: 0o600 });
	renameSync(`${path}.new`, path);
}

// The file outlives a killed owner, so it is believed only while that process is alive.
function readOwner(directory: string): number | undefined {
	try {
		const pid = Number(readFileSync(join(directory, OWNER_FILE), "utf8").trim());
		return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined;
	} catch {
		// The owner has not written it yet, or just gave the home back: the pid is a courtesy.
		return undefined;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return systemErrorCode(error) === "EPERM";
	}
}
