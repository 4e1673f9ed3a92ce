import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { AppHomeInUse } from "../errors/app-error.ts";

/** The part of `XWORKMATE_HOME` that one app process owns. */
export interface AppHome extends Disposable {
	readonly home: string;
	/** `<home>/app`, mode 0700. */
	readonly appFolder: string;
}

/**
 * Takes `<home>/app` for this process. The lock is an SQLite file under an EXCLUSIVE transaction:
 * the kernel drops it with the process, so a kill leaves nothing to clean up.
 * @throws AppHomeInUse
 */
export function ownAppHome(home: string): AppHome {
	const appFolder = join(home, "app");
	mkdirSync(appFolder, { recursive: true, mode: 0o700 });
	const lock = new Database(join(appFolder, "lock.sqlite"), { timeout: 0 });
	try {
		lock.exec("BEGIN EXCLUSIVE");
	} catch (error) {
		lock.close();
		if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) throw new AppHomeInUse(home, error);
		throw error;
	}
	return { home, appFolder, [Symbol.dispose]: () => lock.close() };
}
