import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Endpoint } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { bridgeEndpointFile, noteOwnBridge, openBridgeLog, readEndpoint } from "./bridge-files.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { killGroup, SILENT_KILL_AFTER_MS, stopProcess } from "./stop-process.ts";

/** The bridge's entry file. The bridge is a separate process: only its path is used here, never its code. */
export const bridgeMain = fileURLToPath(new URL("../../../../bridge/src/main.ts", import.meta.url));

/** The program that checks a folder of tools. Again, only its path is used. */
export const checkToolsMain = fileURLToPath(new URL("../../../../bridge/src/check-tools.ts", import.meta.url));

/** The program that copies the bridge's part of a home for a backup. */
export const backUpMain = fileURLToPath(new URL("../../../../bridge/src/back-up.ts", import.meta.url));

/** The program that reads the bridge's part of a home completely, to verify it. */
export const verifyMain = fileURLToPath(new URL("../../../../bridge/src/verify-home.ts", import.meta.url));

const READY_MS = 30_000;
/** The interval at which a starting bridge is checked. On average, it delays a start by half its length. */
const LOOK_EVERY_MS = 5;
const LOG_LINE_BYTES = 16 * 1024;

export interface SpawnBridgeOptions {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Cancels the start. */
	readonly signal?: AbortSignal;
	/** Called once the process exists and loads its code. */
	readonly onSpawned?: () => void;
}

/** The exit code of a bridge if another bridge owns the home. */
const HOME_IN_USE = 75;

/** Another bridge, which is starting or ending, owns the home. */
export class BridgeHomeInUse extends AppError {
	override readonly name = "BridgeHomeInUse";
}

/**
 * Starts a bridge as a child process. Resolves once it is listening. The bridge leads its own process group, so that a Ctrl+C meant for the app
 * does not stop runs, and runs survive a crash of the app.
 * @throws AppError BRIDGE_NOT_RUNNING with the bridge's own message if it does not start; BridgeHomeInUse if another bridge owns the home.
 * No bridge is left running in either case.
 */
export async function spawnBridge(options: SpawnBridgeOptions): Promise<BridgeProcess> {
	const { home, env } = options;
	// The app created its folder earlier. If it is missing, the home was removed, and a bridge would start with an empty one.
	if (!existsSync(join(home, "app"))) {
		throw new AppError(
			"BRIDGE_NOT_RUNNING",
			`The bridge was not started because ${home} no longer exists.`,
			"Put the folder back, then start XWorkmate again.",
		);
	}
	using log = openBridgeLog(home);
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", bridgeMain], {
		env: { ...env, XWORKMATE_HOME: home },
		stdio: ["ignore", "ignore", log.descriptor],
		detached: true,
	});
	options.onSpawned?.();
	let failure: unknown;
	const exited = once(child, "exit").then(
		() => undefined,
		(error: unknown) => {
			// The system could not start a process (out of memory, or too many processes).
			failure = error;
		},
	);
	const running = { send: (signal: "SIGTERM" | "SIGKILL") => isRunning(child) && sendTo(child, signal), exited };
	const endpoint = await ready(child, bridgeEndpointFile(home), options.signal);
	if (endpoint === undefined) {
		// The bridge has not reported that it is listening, so it has no work to finish.
		await stopProcess(running, SILENT_KILL_AFTER_MS);
		const Problem = child.exitCode === HOME_IN_USE ? BridgeHomeInUse : AppError;
		throw new Problem(
			"BRIDGE_NOT_RUNNING",
			`The bridge did not start: ${lastWords((await log.said()) || wordsOf(failure) || (await spaceWords(home)))}`,
			`Read the bridge's log: ${commandLine("logs")}`,
		);
	}
	try {
		noteOwnBridge(home, endpoint);
	} catch (error) {
		// Without this record, nothing would ever end the bridge: every later app would take it for one that the user started.
		await stopProcess(running);
		throw new AppError(
			"BRIDGE_NOT_RUNNING",
			`The bridge was started, but had to be stopped because this app could not save a record of it: ${wordsOf(error)}`,
			`Free some space on the disk, or make ${join(home, "app")} writable.`,
			error,
		);
	}
	const end = () => stopProcess(running, SILENT_KILL_AFTER_MS);
	return { endpoint, own: true, exited, stop: () => stopProcess(running), end };
}

function isRunning(child: ChildProcess): boolean {
	return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Sends SIGTERM to the bridge alone, and SIGKILL to the process group that it leads. The group contains every process that the bridge
 * started, unless that process left it.
 */
function sendTo(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): boolean {
	return signal === "SIGKILL" && child.pid !== undefined ? killGroup(child.pid) : child.kill(signal);
}

/**
 * Resolves with the endpoint that the child wrote; a file from an earlier process may still exist. A process that ended after it
 * listened counts as started.
 */
async function ready(child: ChildProcess, file: string, signal: AbortSignal | undefined): Promise<Endpoint | undefined> {
	for (const until = Date.now() + READY_MS; Date.now() < until && !signal?.aborted; await delay(LOOK_EVERY_MS)) {
		const hadEnded = !isRunning(child);
		const endpoint = await readEndpoint(file);
		if (endpoint !== undefined && endpoint.pid === child.pid) return endpoint;
		if (hadEnded) return undefined;
	}
	return undefined;
}

/** A bridge cannot report a full disk in its log if the log is on that disk. */
async function spaceWords(home: string): Promise<string> {
	const { bavail, bsize } = await statfs(home);
	return bavail * bsize < LOG_LINE_BYTES ? `the disk that holds ${home} is full` : "";
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : "";
}

/** The last line that the bridge wrote, in which the bridge explains a failed start. */
function lastWords(said: string): string {
	return (
		said
			.split("\n")
			.at(-1)
			?.replace(/^xworkmate bridge: /, "") || "it gave no reason"
	);
}
