import { join } from "node:path";
import { RemoteApp } from "../../api/remote-app.ts";
import { readAppToken } from "../../server/access/app-token.ts";
import { readEndpoint } from "../bridge/bridge-files.ts";

export function appEndpointFile(home: string): string {
	return join(home, "app", "endpoint.json");
}

export interface RunningApp {
	readonly url: string;
	readonly pid: number;
	readonly app: RemoteApp;
}

/**
 * The process that owns the home, when it answers.
 * @throws AppError APP_TOKEN_EXPOSED
 */
export async function findRunningApp(home: string): Promise<RunningApp | undefined> {
	const endpoint = await readEndpoint(appEndpointFile(home));
	const token = endpoint && readAppToken(home);
	if (endpoint === undefined || token === undefined) return undefined;
	try {
		const app = new RemoteApp(endpoint.url, token);
		const { pid } = await app.ping();
		return pid === endpoint.pid ? { url: endpoint.url, pid, app } : undefined;
	} catch {
		// Endpoint of a process that was killed: nothing answers, or another process does.
		return undefined;
	}
}
