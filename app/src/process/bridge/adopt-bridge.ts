import { readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "@xworkmate/contracts";
import { sendRequest } from "@xworkmate/platform/http";
import { bridgeEndpointFile, bridgeLockFile, isOwnBridge, readEndpoint } from "./bridge-files.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { bridgeMain } from "./spawn-bridge.ts";
import { killGroup, SILENT_KILL_AFTER_MS, sendSignal, stopProcess } from "./stop-process.ts";

const HEALTH_MS = 2_000;
const LOOK_EVERY_MS = 100;
/** Matches the bridge of any checkout or package, because the previous app may have run from another one. */
const BRIDGE_MAIN = /[\\/](?:bridge[\\/]src[\\/]main\.ts|programs[\\/]bridge\.js)$/;

/** The endpoint of the bridge that runs in this home, if it answers. */
export async function findRunningBridge(home: string): Promise<Endpoint | undefined> {
	const endpoint = await livingBridge(home);
	return endpoint !== undefined && (await isHealthy(endpoint)) ? endpoint : undefined;
}

async function livingBridge(home: string): Promise<Endpoint | undefined> {
	const endpoint = await readEndpoint(bridgeEndpointFile(home));
	return endpoint !== undefined && isAlive(endpoint.pid) && !(await isUnowned(home)) ? endpoint : undefined;
}

/** True if certainly no bridge runs in this home. In a copy of a home, the copied address is that of the original's bridge. */
async function isUnowned(home: string): Promise<boolean> {
	// Loaded only here, because it loads the database library, which few commands need.
	const { isLockHeld } = await import("@xworkmate/platform/sqlite");
	return isLockHeld(bridgeLockFile(home)) === false;
}

/**
 * Removes the address of the original's bridge from a copy of a home, because whatever looks up the address would find that bridge until
 * the copy's own bridge has started. Only for the app that owns the home.
 */
export async function forgetOthersBridge(home: string): Promise<void> {
	const file = bridgeEndpointFile(home);
	const endpoint = await readEndpoint(file);
	if (endpoint === undefined || !isAlive(endpoint.pid) || !(await isUnowned(home)) || !(await isHealthy(endpoint))) return;
	await rm(file, { force: true });
}

/**
 * A bridge that already runs in this home: one that the user started, or one that outlived its app. A bridge that an app started and that
 * does not answer is also taken over if its identity is certain; the supervisor then ends it.
 */
export async function adoptBridge(home: string): Promise<BridgeProcess | undefined> {
	const endpoint = await livingBridge(home);
	if (endpoint === undefined || !((await isHealthy(endpoint)) || (await certainlyBridge(home, endpoint)))) return undefined;
	const own = await isOwnBridge(home, endpoint);
	const exited = whenGone(endpoint.pid);
	const send = (signal: "SIGTERM" | "SIGKILL") => (signal === "SIGKILL" ? killGroup(endpoint.pid) : sendSignal(endpoint.pid, signal));
	const ending = (killAfterMs?: number) => (own ? stopProcess({ send, exited }, killAfterMs) : Promise.resolve());
	return { endpoint, own, exited, stop: () => ending(), end: () => ending(SILENT_KILL_AFTER_MS) };
}

/** True if the process is certainly the bridge: its id may have been reused by another process, so its command line has to show that. */
async function certainlyBridge(home: string, endpoint: Endpoint): Promise<boolean> {
	return (await isOwnBridge(home, endpoint)) && (await runsBridge(endpoint.pid)) === true;
}

/** The endpoint of a process that may be the bridge of this home although it doesn't answer. */
export async function findSilentBridge(home: string): Promise<Endpoint | undefined> {
	const endpoint = await livingBridge(home);
	return endpoint === undefined || (await runsBridge(endpoint.pid)) === false ? undefined : endpoint;
}

/** Whether the command line of a process is a bridge's; undefined if it can't be read, as on other systems than Linux. */
async function runsBridge(pid: number): Promise<boolean | undefined> {
	const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
	return commandLine?.split("\0").some((word) => word === bridgeMain || BRIDGE_MAIN.test(word));
}

async function isHealthy({ url }: Endpoint): Promise<boolean> {
	try {
		const response = await sendRequest(new URL("/healthz", url), { signal: AbortSignal.timeout(HEALTH_MS) });
		response.destroy();
		return response.statusCode === 200;
	} catch {
		// The reason does not matter: no usable bridge answers at this address.
		return false;
	}
}

/** False for a process that has ended, even if its parent has not waited for it yet. */
export function isAlive(pid: number): boolean {
	return sendSignal(pid, 0) && !hasEnded(pid);
}

/** On Linux, a process that has ended keeps its id until its parent has waited for it, which may take seconds. */
function hasEnded(pid: number): boolean {
	try {
		// The name in parentheses may contain anything, so the state is searched for after the last parenthesis.
		return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		// On another system, or if the process no longer exists, the id alone decides.
		return false;
	}
}

async function whenGone(pid: number): Promise<void> {
	while (isAlive(pid)) await delay(LOOK_EVERY_MS, undefined, { ref: false });
}
