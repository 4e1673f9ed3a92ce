import { setTimeout as delay } from "node:timers/promises";
import type { AppApi } from "../../api/app-api.ts";
import { AppHomeInUse } from "../../errors/app-error.ts";
import type { OwnedApp, OwnedAppOptions } from "./owned-app.ts";
import { findRunningApp } from "./running-app.ts";

/** How long another process may hold the home without answering, because it is starting or ending. */
const HELD_MS = 10_000;
const LOOK_EVERY_MS = 50;

export type WithAppOptions = Pick<OwnedAppOptions, "settings" | "withoutBridge" | "onNote" | "onError">;

/**
 * Uses the app of a home, either as a client of the process that owns the home or as the home's owner until `use` has ended. An owner waits
 * for its clients before it exits, unless `use` failed, and leaves the bridge running if runs are active.
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
	// A client does not need the code of the app itself, which takes most of the time to load.
	const { openOwnedApp } = await import("./owned-app.ts");
	try {
		return await openOwnedApp({ ...options, listenOn: "any", runsAs: "command" });
	} catch (error) {
		if (error instanceof AppHomeInUse && Date.now() < until) return undefined;
		throw error;
	}
}

/** Uses an app that this process owns, and closes it. */
export async function asOwner<T>(owned: Pick<OwnedApp, "api" | "gone" | "idle" | "close">, use: (api: AppApi) => Promise<T>): Promise<T> {
	try {
		const result = await Promise.race([use(owned.api), owned.gone.then((error) => Promise.reject(error))]);
		await owned.idle();
		return result;
	} finally {
		const leaveBridge = await mayBeRunning(owned.api);
		// The address is kept, because the user did not stop this app: a command that was its client may start another one.
		await owned.close({ leaveBridge, keepAddress: true });
	}
}

/**
 * Whether a run is active; also true if the threads can't be read, because an active run must not be ended by mistake. A turn that waits in
 * the app's own queue has not reached the bridge.
 */
async function mayBeRunning(api: AppApi): Promise<boolean> {
	const threads = await api.listThreads({ archived: false }).catch(() => undefined);
	return threads?.some(({ lifecycleStatus }) => lifecycleStatus === "running") ?? true;
}
