import { setTimeout as delay } from "node:timers/promises";
import type { AppApi } from "../../api/app-api.ts";
import { AppHomeInUse } from "../../errors/app-error.ts";
import type { OwnedApp, OwnedAppOptions } from "./owned-app.ts";
import { findRunningApp } from "./running-app.ts";

/** How long another process may hold the home without answering: it is starting, or ending. */
const HELD_MS = 10_000;
const LOOK_EVERY_MS = 50;

export type WithAppOptions = Omit<OwnedAppOptions, "anyPort">;

/**
 * Uses the app of a home: as the client of the process that owns it, or as its owner for the time of
 * the use. An owner waits for its clients before it goes, and leaves the bridge to runs that are
 * under way.
 * @throws AppHomeInUse when another process holds the home and does not answer
 */
export async function withApp<T>(options: WithAppOptions, use: (api: AppApi) => Promise<T>): Promise<T> {
	for (const until = Date.now() + HELD_MS; ; await delay(LOOK_EVERY_MS)) {
		const running = await findRunningApp(options.settings.home);
		if (running !== undefined) return use(running.api);
		const owned = await tryOwn(options, until);
		if (owned !== undefined) return asOwner(owned, use);
	}
}

async function tryOwn(options: WithAppOptions, until: number): Promise<OwnedApp | undefined> {
	// A client has no use for what makes an app, which is most of what there is to load.
	const { openOwnedApp } = await import("./owned-app.ts");
	try {
		return await openOwnedApp({ ...options, anyPort: true });
	} catch (error) {
		if (error instanceof AppHomeInUse && Date.now() < until) return undefined;
		throw error;
	}
}

async function asOwner<T>(owned: OwnedApp, use: (api: AppApi) => Promise<T>): Promise<T> {
	try {
		const result = await Promise.race([use(owned.api), owned.gone.then((error) => Promise.reject(error))]);
		await owned.idle();
		return result;
	} finally {
		const threads = await owned.api.listThreads({ archived: false });
		// A turn that waits in the app's own queue is not the bridge's yet.
		const leaveBridge = threads.some(({ lifecycleStatus }) => lifecycleStatus === "running");
		await owned.close({ leaveBridge });
	}
}
