import { join } from "node:path";
import { type AppHome, ownAppHome } from "./app-home.ts";
import { needsCheck } from "./database-check.ts";
import { SqliteThreadStore } from "./sqlite-thread-store.ts";

/** The home that this process owns, and its open database. Disposing of it twice does no harm. */
export interface AppStore extends Disposable {
	readonly owned: AppHome;
	readonly store: SqliteThreadStore;
	/** The path of a database that has to be checked in the background; undefined if it needs no check. */
	readonly unchecked: string | undefined;
}

/** Takes ownership of a home and opens its database. @throws AppHomeInUse, AppError APP_DATABASE_NEWER, APP_DATABASE_DAMAGED */
export function openAppStore(home: string): AppStore {
	const owned = ownAppHome(home);
	try {
		const path = join(owned.appFolder, "app.sqlite");
		const unchecked = needsCheck(path) ? path : undefined;
		const store = new SqliteThreadStore(path);
		return {
			...{ owned, store, unchecked },
			[Symbol.dispose]() {
				store.close();
				owned[Symbol.dispose]();
			},
		};
	} catch (error) {
		owned[Symbol.dispose]();
		throw error;
	}
}
