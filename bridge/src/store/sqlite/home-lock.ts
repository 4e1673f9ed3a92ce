import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { writeDurably } from "@xworkmate/platform/files";
import { takeLock } from "@xworkmate/platform/sqlite";
import { StoreError } from "../store-error.ts";
import { translated } from "./rows/translate-error.ts";

const LOCK_FILE = "lock";
const OWNER_FILE = "lock.owner";

/** Ownership of a home directory, until the lock is disposed of or the process ends for any reason. */
export interface HomeLock extends Disposable {
	readonly directory: string;
}

/**
 * Locks a home directory for this process.
 *
 * @throws StoreError HOME_IN_USE (with the owner's pid if known), STORE_UNAVAILABLE, STORE_FULL
 */
export function acquireHomeLock(directory: string): HomeLock {
	const path = join(directory, LOCK_FILE);
	const owner = join(directory, OWNER_FILE);
	translated(directory, () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
	return translated(path, () => {
		using taken = new DisposableStack();
		const lock = takeLock(path);
		if (lock === undefined) throw inUse(directory);
		taken.use(lock);
		writeDurably(owner, `${process.pid}\n`);
		// Disposed of before the lock, so the owner file is removed while the lock is still held.
		taken.defer(() => rmSync(owner, { force: true }));
		const kept = taken.move();
		return { directory, [Symbol.dispose]: () => kept.dispose() };
	});
}

function inUse(directory: string): StoreError {
	const pid = readOwner(directory);
	const owner = pid === undefined ? "another process" : `process ${pid}`;
	return new StoreError("HOME_IN_USE", `${directory} is in use by ${owner}.`, {
		file: directory,
		fix: "Use the running process, stop it, or set XWORKMATE_HOME to another folder.",
	});
}

// The owner file outlives an owner that is killed, so the pid in it counts only while a process with this pid is alive.
function readOwner(directory: string): number | undefined {
	try {
		const pid = Number(readFileSync(join(directory, OWNER_FILE), "utf8").trim());
		return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined;
	} catch {
		// The owner has not written the file yet, or has just released the home. The message can do without the pid.
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
