import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "@xworkmate/contracts";
import { bridgeEndpointFile, isOwnBridge, readEndpoint } from "./bridge-files.ts";
import type { BridgeProcess } from "./bridge-process.ts";

const HEALTH_MS = 2_000;
const LOOK_EVERY_MS = 250;
const KILL_AFTER_MS = 20_000;

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
	return { endpoint, exited: gone, stop: () => (ours ? stop(endpoint.pid, gone) : Promise.resolve()) };
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
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

async function whenGone(pid: number): Promise<void> {
	while (isAlive(pid)) await delay(LOOK_EVERY_MS, undefined, { ref: false });
}

async function stop(pid: number, gone: Promise<void>): Promise<void> {
	if (!isAlive(pid)) return;
	process.kill(pid, "SIGTERM");
	const timer = setTimeout(() => process.kill(pid, "SIGKILL"), KILL_AFTER_MS);
	await gone;
	clearTimeout(timer);
}
