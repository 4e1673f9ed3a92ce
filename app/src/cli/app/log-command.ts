import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { AppSettings } from "../../config/settings.ts";
import { AppError } from "../../errors/app-error.ts";
import { bridgeLogFile } from "../../process/bridge/bridge-files.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";

const CHUNK = 64 * 1024;
const LOOK_EVERY_MS = 250;

/**
 * Prints the log of this home's own bridge; with `follow`, keeps printing until `follow` is aborted, even after a restart of the bridge
 * renamed the log and began another.
 * @throws AppError INVALID_INPUT if there is no log, and always with `bridgeUrl`, because that bridge keeps its own log
 */
export async function logCommand(
	{ home, bridgeUrl }: Pick<AppSettings, "home" | "bridgeUrl">,
	console: Console,
	follow: AbortSignal | undefined,
): Promise<void> {
	if (bridgeUrl !== undefined) {
		const fix = "Read the log on the computer that runs the bridge.";
		throw new AppError(
			"INVALID_INPUT",
			"The setting bridgeUrl (XWORKMATE_BRIDGE_URL) points to another bridge, which keeps its own log.",
			fix,
		);
	}
	const path = bridgeLogFile(home);
	const file = await open(path).catch((cause: unknown) => {
		if (systemErrorCode(cause) !== "ENOENT") throw cause;
		throw new AppError(
			"INVALID_INPUT",
			`There is no log at ${path}. XWorkmate creates the log when it starts the bridge.`,
			`Start XWorkmate with \`${commandLine("start")}\`.`,
			cause,
		);
	});
	for (let log: FileHandle | undefined = file; log !== undefined; ) {
		await using _closing = log;
		log = await printLog(log, path, console, follow);
	}
}

/** Prints a log to its end. Returns the log that replaced it at the same path; undefined if the command no longer follows the log. */
async function printLog(
	file: FileHandle,
	path: string,
	console: Console,
	follow: AbortSignal | undefined,
): Promise<FileHandle | undefined> {
	const buffer = Buffer.alloc(CHUNK);
	const decoder = new TextDecoder();
	const { ino } = await file.stat();
	let isRenamed = false;
	for (let position = 0; ; ) {
		const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
		position += bytesRead;
		console.out(printable(decoder.decode(buffer.subarray(0, bytesRead), { stream: true })));
		if (bytesRead > 0) continue;
		if (follow === undefined || follow.aborted) return undefined;
		// A renamed log is read once more, because its bridge may have written to it until then.
		const next = isRenamed ? await open(path).catch(() => undefined) : undefined;
		if (next !== undefined) return next;
		isRenamed = (await stat(path).catch(() => undefined))?.ino !== ino;
		await delay(LOOK_EVERY_MS, undefined, { signal: follow }).catch(() => undefined);
	}
}
