import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isLockHeld, takeLock } from "@xworkmate/platform/sqlite";
import { AppHomeInUse } from "../errors/app-error.ts";

/** The part of `XWORKMATE_HOME` that one app process owns. */
export interface AppHome extends Disposable {
	readonly home: string;
	/** `<home>/app`, mode 0700. */
	readonly appFolder: string;
}

/**
 * Takes ownership of `<home>/app` for this process. If an owner is killed, nothing has to be cleaned up.
 * @throws AppHomeInUse
 */
export function ownAppHome(home: string): AppHome {
	const appFolder = join(home, "app");
	mkdirSync(appFolder, { recursive: true, mode: 0o700 });
	const lock = takeLock(lockFile(home));
	if (lock === undefined) throw new AppHomeInUse(home);
	return { home, appFolder, [Symbol.dispose]: () => lock[Symbol.dispose]() };
}

function lockFile(home: string): string {
	return join(home, "app", "lock.sqlite");
}

/** Whether a process owns the home; undefined if that can't be found out. */
export function isAppHomeOwned(home: string): boolean | undefined {
	return isLockHeld(lockFile(home));
}
