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

/** The process that owns the home, when it answers. */
export async function findRunningApp(home: string): Promise<RunningApp | undefined> {
	const endpoint = await readEndpoint(appEndpointFile(home));
	if (endpoint === undefined) return undefined;
	try {
		const app = new RemoteApp(endpoint.url, await readAppToken(home));
		const { pid } = await app.ping();
		return pid === endpoint.pid ? { url: endpoint.url, pid, app } : undefined;
	} catch {
		// Endpoint of a process that was killed: nothing answers, or another process does.
		return undefined;
	}
}
