import { isAppHomeOwned } from "../../store/app-home.ts";
import type { SilentProcess } from "../../text/running-words.ts";
import { isAlive } from "../bridge/adopt-bridge.ts";
import { readEndpoint } from "../bridge/bridge-files.ts";
import { appEndpointFile } from "./running-app.ts";

/**
 * The process that owns the home although no app answers: it may be starting or stopping, suspended or stuck. Undefined if there is none.
 * The id of the process is known only if the process has listened before.
 */
export async function findSilentOwner(home: string): Promise<SilentProcess | undefined> {
	if (isAppHomeOwned(home) !== true) return undefined;
	const endpoint = await readEndpoint(appEndpointFile(home));
	return endpoint !== undefined && isAlive(endpoint.pid) ? { pid: endpoint.pid } : {};
}
