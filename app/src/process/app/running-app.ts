import { join } from "node:path";
import { type RemoteApp, RemoteAppError, remoteApp } from "../../api/remote-app.ts";
import { differentSettings, settingDigests } from "../../config/setting-digests.ts";
import { readAppToken } from "../../server/access/app-token.ts";
import { readEndpoint } from "../bridge/bridge-files.ts";

export function appEndpointFile(home: string): string {
	return join(home, "app", "endpoint.json");
}

/** The process that owns the home. */
export class RunningApp {
	readonly url: string;
	readonly pid: number;
	readonly api: RemoteApp;
	readonly #token: string;

	constructor(url: string, pid: number, token: string) {
		this.url = url;
		this.pid = pid;
		this.api = remoteApp(url, token);
		this.#token = token;
	}

	/** The path of a new one-time link; undefined if that app serves no page. */
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
 * The process that owns the home, if it answers.
 * @throws AppError APP_TOKEN_EXPOSED
 */
export async function findRunningApp(home: string): Promise<RunningApp | undefined> {
	const endpoint = await readEndpoint(appEndpointFile(home));
	const token = endpoint && readAppToken(home);
	if (endpoint === undefined || token === undefined) return undefined;
	try {
		const app = new RunningApp(endpoint.url, endpoint.pid, token);
		const { pid } = await app.api.ping();
		return pid === endpoint.pid ? app : undefined;
	} catch {
		// The endpoint belongs to a process that was killed, so nothing answers, or another process does.
		return undefined;
	}
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
