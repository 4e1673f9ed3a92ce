import { closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Endpoint } from "@xworkmate/contracts";
import { writeDurably } from "@xworkmate/platform/files";

const MAX_LOG_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 4 * 1024;
const SHOWN_BYTES = 64 * 1024;

/** The log file of the bridge if the app runs it. */
export function bridgeLogFile(home: string): string {
	return join(home, "bridge", "bridge.log");
}

export function bridgeEndpointFile(home: string): string {
	return join(home, "bridge", "endpoint.json");
}

/** The file whose lock the home's bridge holds while it runs. */
export function bridgeLockFile(home: string): string {
	return join(home, "bridge", "lock");
}

/** This file records which bridge an app of this home started. A later app may stop that bridge, but never one that the user started. */
function ownBridgeFile(home: string): string {
	return join(home, "app", "bridge-child.json");
}

/** The endpoint in a file; undefined if there is none, or if the file can't be read. */
export async function readEndpoint(file: string): Promise<Endpoint | undefined> {
	try {
		const parsed = Endpoint.safeParse(JSON.parse(await readFile(file, "utf8")));
		return parsed.success ? parsed.data : undefined;
	} catch {
		return undefined;
	}
}

/** Written atomically, because other processes poll for it. */
export function writeEndpoint(file: string, endpoint: Endpoint): void {
	writeDurably(file, `${JSON.stringify(endpoint)}\n`);
}

export function noteOwnBridge(home: string, endpoint: Endpoint): void {
	writeEndpoint(ownBridgeFile(home), endpoint);
}

export async function forgetOwnBridge(home: string): Promise<void> {
	await rm(ownBridgeFile(home), { force: true });
}

export async function isOwnBridge(home: string, endpoint: Endpoint): Promise<boolean> {
	const noted = await readEndpoint(ownBridgeFile(home));
	return noted?.pid === endpoint.pid && noted.startedAt === endpoint.startedAt;
}

export interface LogFile extends Disposable {
	readonly descriptor: number;
	/** What was written since the log was opened, at most the last 4 KiB. */
	said(): Promise<string>;
}

/** Opens the log for appending. A large log is renamed first, and one older copy is kept. */
export function openBridgeLog(home: string): LogFile {
	const path = bridgeLogFile(home);
	mkdirSync(join(home, "bridge"), { recursive: true, mode: 0o700 });
	if (sizeOf(path) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
	const start = sizeOf(path);
	const descriptor = openSync(path, "a", 0o600);
	return { descriptor, said: () => readTail(path, start), [Symbol.dispose]: () => closeSync(descriptor) };
}

/** The last 64 KiB of the bridge's log, or all of a shorter one; empty if there is none. */
export async function readBridgeLog(home: string): Promise<{ readonly text: string; readonly truncated: boolean }> {
	const path = bridgeLogFile(home);
	const size = sizeOf(path);
	return { text: size === 0 ? "" : await readTail(path, 0, SHOWN_BYTES), truncated: size > SHOWN_BYTES };
}

function sizeOf(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function readTail(path: string, start: number, bytes = TAIL_BYTES): Promise<string> {
	await using file = await open(path);
	const { size } = await file.stat();
	const from = Math.max(start, size - bytes);
	const buffer = Buffer.alloc(Math.max(0, size - from));
	await file.read(buffer, 0, buffer.length, from);
	return buffer.toString("utf8").trim();
}
