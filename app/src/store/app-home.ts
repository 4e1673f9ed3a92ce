import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isLockFree, takeLock } from "@xworkmate/platform/sqlite";
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

/** True if certainly no process owns the home. The check takes the lock for a moment. */
export function isAppHomeFree(home: string): boolean {
	return isLockFree(lockFile(home));
}

/** True if a process owns the home. The check takes the lock for a moment. */
export function isAppHomeOwned(home: string): boolean {
	const path = lockFile(home);
	if (!existsSync(path)) return false;
	try {
		const lock = takeLock(path);
		lock?.[Symbol.dispose]();
		return lock === undefined;
	} catch {
		// The lock file can't be written or is damaged, which does not show that the home has an owner.
		return false;
	}
}
