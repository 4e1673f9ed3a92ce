import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Endpoint } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";
import { bridgeEndpointFile, noteOwnBridge, openBridgeLog, readEndpoint } from "./bridge-files.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { stopProcess } from "./stop-process.ts";

/** The bridge's entry. The bridge is a process of its own: only its path is known here, never its code. */
export const bridgeMain = fileURLToPath(new URL("../../../bridge/src/main.ts", import.meta.url));

const READY_MS = 30_000;
const LOOK_EVERY_MS = 20;

export interface SpawnBridgeOptions {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a bridge as a child process and settles once it listens. It is a process group of its own:
 * a Ctrl-C meant for the app does not stop runs, and they survive a crash of the app.
 * @throws AppError BRIDGE_NOT_RUNNING with the bridge's own words when it does not start; no bridge is left behind.
 */
export async function spawnBridge({ home, env }: SpawnBridgeOptions): Promise<BridgeProcess> {
	using log = openBridgeLog(home);
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", bridgeMain], {
		env: { ...env, XWORKMATE_HOME: home },
		stdio: ["ignore", "ignore", log.descriptor],
		detached: true,
	});
	let failure: unknown;
	const exited = once(child, "exit").then(
		() => undefined,
		(error: unknown) => {
			// The system started no process (out of memory, or too many).
			failure = error;
		},
	);
	const running = { send: (signal: "SIGTERM" | "SIGKILL") => isRunning(child) && child.kill(signal), exited };
	const endpoint = await ready(child, bridgeEndpointFile(home));
	if (endpoint === undefined) {
		await stopProcess(running);
		throw new AppError(
			"BRIDGE_NOT_RUNNING",
			`the bridge did not start: ${lastWords((await log.said()) || wordsOf(failure))}`,
			"Run `xworkmate doctor`, or read `xworkmate logs`.",
		);
	}
	try {
		await noteOwnBridge(home, endpoint);
	} catch (error) {
		// Nobody would ever end it: without the note every later app takes it for a person's own.
		await stopProcess(running);
		throw new AppError(
			"BRIDGE_NOT_RUNNING",
			`the bridge was ended again, since it could not be noted that this app runs it: ${wordsOf(error)}`,
			`Make room on the disk, or see that files can be written in ${join(home, "app")}.`,
			error,
		);
	}
	return { endpoint, own: true, exited, stop: () => stopProcess(running) };
}

function isRunning(child: ChildProcess): boolean {
	return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The endpoint of this very process: an older file may lie there. */
async function ready(child: ChildProcess, file: string): Promise<Endpoint | undefined> {
	for (const until = Date.now() + READY_MS; Date.now() < until && isRunning(child); await delay(LOOK_EVERY_MS)) {
		const endpoint = await readEndpoint(file);
		if (endpoint !== undefined && endpoint.pid === child.pid) return endpoint;
	}
	return undefined;
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : "";
}

/** The bridge words its refusals in its last line. */
function lastWords(said: string): string {
	return said.split("\n").at(-1) || "it said nothing";
}
