import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { AppStoppedError, RemoteAppError } from "../../api/remote-app.ts";
import type { AppSettings } from "../../config/settings.ts";
import { AppHomeInUse } from "../../errors/app-error.ts";
import { appEndpointFile, findRunningApp, type RunningApp } from "../app/running-app.ts";
import { spawnBackground } from "./spawn-background.ts";

/** How long another process may hold the home without answering, because it is starting or ending. */
const HELD_MS = 30_000;
const LOOK_EVERY_MS = 50;
/** A process that takes over the home of an app that is gone usually owns it within this time. */
const TAKEN_OVER_MS = 300;

export interface HomeOwnerOptions {
	readonly settings: AppSettings;
	/** The program of this command. */
	readonly main: string;
}

/** The app that currently serves a home, for a client. If none is running, one is started in the background. */
export class HomeOwner {
	readonly #options: HomeOwnerOptions;
	#found: Promise<RunningApp> | undefined;

	constructor(options: HomeOwnerOptions) {
		this.#options = options;
	}

	/**
	 * @throws AppHomeInUse if a process holds the home and does not answer; what spawnBackground throws; RemoteAppError with what kept the
	 * started app from running
	 */
	get(): Promise<RunningApp> {
		this.#found ??= this.#find();
		return this.#found;
	}

	/**
	 * Call this when an app that was found is gone: the search for another app begins at once, and the next call of `get` returns its result.
	 * If the user stopped the app, no other one is started, and that call fails with APP_STOPPED.
	 */
	lost(app: RunningApp): void {
		const found = this.#found;
		this.#found = found?.then(async (known) => (known === app ? await this.#findAfter(app) : known));
	}

	async #findAfter({ process: { endsBridge = false } }: RunningApp): Promise<RunningApp> {
		for (const until = performance.now() + TAKEN_OVER_MS; performance.now() < until; await delay(LOOK_EVERY_MS)) {
			const running = await this.#running();
			if (running !== undefined) return running;
		}
		// Only an app that the user stopped removes its address. An app that was killed, is handing over, or ended because it was idle keeps
		// the address.
		if (!existsSync(appEndpointFile(this.#options.settings.home))) throw new AppStoppedError(endsBridge);
		return await this.#find();
	}

	async #find(): Promise<RunningApp> {
		const { settings, main } = this.#options;
		const { home, bridgeEnv: env } = settings;
		for (const until = performance.now() + HELD_MS; performance.now() < until; await delay(LOOK_EVERY_MS)) {
			const running = await this.#running();
			if (running !== undefined) return running;
			const report = await spawnBackground({ home, main, env });
			if (report.state === "failed") throw new RemoteAppError(report.failure);
		}
		throw new AppHomeInUse(home);
	}

	/** Ends a background app of another version together with its bridge, so that both are started again in this version. */
	async #running(): Promise<RunningApp | undefined> {
		const running = await findRunningApp(this.#options.settings.home);
		if (running?.isOtherVersion !== true) return running;
		await running.end("end");
		return undefined;
	}
}
