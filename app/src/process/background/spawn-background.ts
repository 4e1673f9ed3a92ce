import { spawn } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { AppError } from "../../errors/app-error.ts";
import { Failure } from "../../errors/failure.ts";
import { appLogFile, openAppLog } from "./app-log.ts";
import { sparingMemory } from "./sparing-memory.ts";

/** The pipe on which the started process reports the result of its start. */
const REPORT = 3;

/** V8 keeps up to 48 MB for new objects; an app that mostly waits needs little of it. */
const SMALL_NURSERY = "--max-semi-space-size=1";

/** `in_use`: another app that uses this home has started in the meantime. */
const StartReport = z.union([z.object({ state: z.enum(["ready", "in_use"]) }), z.object({ state: z.literal("failed"), failure: Failure })]);
export type StartReport = z.infer<typeof StartReport>;

export interface SpawnBackgroundOptions {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	/** The program of this command; the app runs the same program. */
	readonly main: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts an app in the background, and settles once it answers or has given up. The app leads its own session and does not use this
 * terminal, so neither Ctrl+C nor a closed terminal reaches it.
 * @throws AppError HOME_NOT_WRITABLE, DISK_FULL, APP_NOT_RUNNING
 */
export async function spawnBackground({ home, main, env }: SpawnBackgroundOptions): Promise<StartReport> {
	const log = openAppLog(home);
	try {
		const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", SMALL_NURSERY, main, "background", "--report"], {
			cwd: home,
			env: { ...sparingMemory, ...env, XWORKMATE_HOME: home },
			stdio: ["ignore", log, log, "pipe"],
			detached: true,
		});
		const failed = new Promise<never>((_, reject) => child.once("error", reject));
		const pipe = child.stdio[REPORT];
		if (!(pipe instanceof Readable)) throw new RangeError("The pipe of a new process is missing.");
		const said = await Promise.race([text(pipe), failed]);
		child.unref();
		const report = StartReport.safeParse(parsed(said));
		if (report.success) return report.data;
		throw notStarted(home);
	} finally {
		closeSync(log);
	}
}

/** Reports the result of the start to the process that started this one, which may have ended in the meantime. */
export function reportStart(report: StartReport): void {
	try {
		writeSync(REPORT, JSON.stringify(report));
		closeSync(REPORT);
	} catch {
		// The other process is gone, which does not matter to this app.
	}
}

function parsed(said: string): unknown {
	try {
		return JSON.parse(said);
	} catch {
		// The process ended before it could report anything.
		return undefined;
	}
}

function notStarted(home: string): AppError {
	return new AppError("APP_NOT_RUNNING", "XWorkmate did not start in the background.", `Read its log: ${appLogFile(home)}`);
}
