import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "@xworkmate/contracts";
import { bridgeEndpointFile, isOwnBridge, readEndpoint } from "./bridge-files.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { sendSignal, stopProcess } from "./stop-process.ts";

const HEALTH_MS = 2_000;
const LOOK_EVERY_MS = 250;

/** The endpoint of the bridge that runs in this home, when it answers. */
export async function findRunningBridge(home: string): Promise<Endpoint | undefined> {
	const endpoint = await readEndpoint(bridgeEndpointFile(home));
	if (endpoint === undefined || !isAlive(endpoint.pid) || !(await isHealthy(endpoint))) return undefined;
	return endpoint;
}

/** A bridge that already runs in this home: a person's own, or one that outlived its app. */
export async function adoptBridge(home: string): Promise<BridgeProcess | undefined> {
	const endpoint = await findRunningBridge(home);
	if (endpoint === undefined) return undefined;
	const ours = await isOwnBridge(home, endpoint);
	const gone = whenGone(endpoint.pid);
	const process = { send: (signal: "SIGTERM" | "SIGKILL") => sendSignal(endpoint.pid, signal), exited: gone };
	return { endpoint, own: ours, exited: gone, stop: () => (ours ? stopProcess(process) : Promise.resolve()) };
}

async function isHealthy({ url }: Endpoint): Promise<boolean> {
	try {
		return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) })).ok;
	} catch {
		// Whatever the reason, nothing usable answers there.
		return false;
	}
}

function isAlive(pid: number): boolean {
	return sendSignal(pid, 0);
}

async function whenGone(pid: number): Promise<void> {
	while (isAlive(pid)) await delay(LOOK_EVERY_MS, undefined, { ref: false });
}
