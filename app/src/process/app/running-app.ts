import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { AppProcess, LeftBridge } from "../../api/process-rows.ts";
import { isAway, type RemoteApp, RemoteAppError, remoteApp } from "../../api/remote-app.ts";
import { ownVersion } from "../../config/own-version.ts";
import { differentSettings, settingDigests } from "../../config/setting-digests.ts";
import { readAppToken } from "../../server/access/app-token.ts";
import { readEndpoint } from "../bridge/bridge-files.ts";

/** How long an app may take to answer: a suspended process accepts a connection and never answers. */
const ANSWERS_MS = 5_000;

export function appEndpointFile(home: string): string {
	return join(home, "app", "endpoint.json");
}

/** The process that owns the home. */
export class RunningApp {
	readonly url: string;
	/** The app's process, as the app reports it. */
	readonly process: AppProcess;
	readonly api: RemoteApp;
	readonly #token: string;

	constructor(url: string, token: string, api: RemoteApp, process: AppProcess) {
		this.url = url;
		this.process = process;
		this.api = api;
		this.#token = token;
	}

	get pid(): number {
		return this.process.pid;
	}

	/** True for an app of another version that runs in the background. A process of this version ends such an app. */
	get isOtherVersion(): boolean {
		return this.process.runsAs === "background" && this.process.version !== ownVersion();
	}

	/**
	 * Asks an app in the background to end. Another process may have ended it first.
	 * @throws RemoteAppError NOT_IN_BACKGROUND
	 */
	async end(bridge: LeftBridge): Promise<void> {
		try {
			await this.api.endApp({ bridge });
		} catch (error) {
			if (!isAway(error)) throw error;
		}
	}

	/** The path of a new one-time link; undefined when that app serves no page. */
	async openKey(): Promise<string | undefined> {
		return (await ofPage(this.api.openKey()))?.path;
	}

	/** The names of the settings whose values differ between `env` and the environment that the app was started with. */
	async differentSettings(env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
		const running = await ofPage(this.api.startedWith());
		return running === undefined ? [] : differentSettings(running, settingDigests(env, this.#token));
	}
}

/**
 * The process that owns the home, if it answers. The app of another home does not count: in a copy of a home, the copied address is that of
 * the original's app, which accepts the copied token.
 * @throws AppError APP_TOKEN_EXPOSED
 */
export async function findRunningApp(home: string): Promise<RunningApp | undefined> {
	const found = await answering(home);
	if (found === undefined || (await isOfOtherHome(found.process, home))) return undefined;
	return found;
}

/**
 * Removes the address of the original's app from a copy of a home, because it says nothing of the copy. Only for the app that owns the copy,
 * before it listens.
 */
export async function forgetOthersApp(home: string): Promise<void> {
	const found = await answering(home);
	if (found !== undefined && (await isOfOtherHome(found.process, home))) await rm(appEndpointFile(home), { force: true });
}

/** The app that answers at the home's address, whichever home it is of; undefined if none does in time. */
async function answering(home: string): Promise<RunningApp | undefined> {
	const endpoint = await readEndpoint(appEndpointFile(home));
	const token = endpoint && readAppToken(home);
	if (endpoint === undefined || token === undefined) return undefined;
	try {
		const api = remoteApp(endpoint.url, token);
		const process = await Promise.race([api.ping(), delay(ANSWERS_MS, undefined, { ref: false })]);
		return process?.pid === endpoint.pid ? new RunningApp(endpoint.url, token, api, process) : undefined;
	} catch {
		// The endpoint belongs to a process that was killed, so nothing answers at its address, or another process does.
		return undefined;
	}
}

/** The same home may have several paths. An app of an earlier version does not name its home; it holds the home's lock while it runs. */
async function isOfOtherHome(process: AppProcess, home: string): Promise<boolean> {
	const named = process.home === undefined ? undefined : await stat(process.home, { bigint: true }).catch(() => undefined);
	if (named !== undefined) {
		const { dev, ino } = await stat(home, { bigint: true });
		return named.dev !== dev || named.ino !== ino;
	}
	// Loaded only here, because it loads the database library, which no command needs otherwise.
	const { isAppHomeOwned } = await import("../../store/app-home.ts");
	return isAppHomeOwned(home) === false;
}

/** Undefined if the app serves no page. */
async function ofPage<T>(answer: Promise<T>): Promise<T | undefined> {
	try {
		return await answer;
	} catch (error) {
		if (error instanceof RemoteAppError && error.code === "NOT_FOUND") return undefined;
		throw error;
	}
}
