import { resolve } from "node:path";
import type { BackedUpFile } from "../../back-up/backup-format.ts";
import { restoreBackup } from "../../back-up/restore-backup.ts";
import { writeBackup } from "../../back-up/write-backup.ts";
import { AppError, AppHomeInUse } from "../../errors/app-error.ts";
import type { RunningApp } from "../../process/app/running-app.ts";
import { findSilentOwner } from "../../process/app/silent-owner.ts";
import { commandLine } from "../../text/command-line.ts";
import { formatBytes } from "../../text/format-measure.ts";
import { localTime } from "../../text/local-time.ts";
import { oneLine } from "../../text/printable.ts";
import { howToEndSilent, howToStop, runningWords, silentWords } from "../../text/running-words.ts";
import type { Console } from "../parts/console.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

export interface BackupDeps {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	readonly version: string;
	readonly console: Console;
}

export interface RestoreDeps extends BackupDeps {
	/** True if the home is not the one that commands use without XWORKMATE_HOME. */
	readonly isOtherHome: boolean;
	/** The app that runs in the home; undefined when none answers. */
	readonly runningApp: () => Promise<Pick<RunningApp, "process"> | undefined>;
	/** Aborted by SIGINT, SIGTERM or SIGHUP. */
	readonly stop: AbortSignal;
}

const SHOWN = 500;
const NAMED = 10;

/** `xworkmate backup FILE`. Exit code 8 if the backup lacks a file whose name is not UTF-8, or the end of a file. */
export async function backupCommand({ home, version, console }: BackupDeps, file: string, json: boolean): Promise<ExitCode> {
	const onFile = progress(console, "Backed up");
	const { files, sizeBytes, leftOut, unnamed, changed } = await writeBackup({ home, file, version, onFile });
	console.status("");
	if (json) console.line(JSON.stringify({ file: resolve(file), files, sizeBytes, leftOut, unnamed, changed }));
	else {
		console.line(`Backed up ${fileCount(files)} (${formatBytes(sizeBytes)}) to ${oneLine(resolve(file), SHOWN)}`);
		console.line("It contains your tokens and keys: keep it where only you can read it.");
		for (const line of named("Not included, because they are links or special files:", leftOut)) console.line(line);
		for (const line of named("Not included, because their names are not UTF-8:", unnamed)) console.line(line);
		for (const line of named("Changed while they were being read, so they are incomplete:", changed)) console.line(line);
	}
	return changed.length + unnamed.length > 0 ? exitCode.notSaved : exitCode.success;
}

/** `xworkmate restore FILE`. Exit code 5 if it was stopped. */
export async function restoreCommand(
	{ home, console, isOtherHome, runningApp, stop }: RestoreDeps,
	file: string,
	{ replace, json }: { readonly replace: boolean; readonly json: boolean },
): Promise<ExitCode> {
	const restoring = restoreBackup({ home, file, replace, stop, onFile: progress(console, "Restored") });
	const result = await restoring.catch(unlessStopped(stop)).catch(unlessInUse(home, runningApp));
	console.status("");
	if (result === undefined) {
		console.note("Stopped. Nothing was restored.");
		return exitCode.cancelled;
	}
	const { hasBridge, ...restored } = result;
	if (json) {
		console.line(JSON.stringify({ home: resolve(home), ...restored }));
		return exitCode.success;
	}
	const { files, createdAt, former, leftovers = 0 } = restored;
	console.line(`Restored ${fileCount(files)} to ${oneLine(resolve(home), SHOWN)}, as of ${localTime(createdAt, Date.now())}.`);
	if (former !== undefined) console.line(`The previous data folder was moved to ${oneLine(former, SHOWN)}`);
	if (leftovers > 0) {
		const copies = leftovers === 1 ? "an unfinished copy" : `${leftovers} unfinished copies`;
		console.line(
			`Removed ${copies} left by ${leftovers === 1 ? "an earlier restore" : "earlier restores"} into this data folder, including any tokens in ${leftovers === 1 ? "it" : "them"}.`,
		);
	}
	console.line(
		"Anything that was in progress, queued or due when the backup was made may have continued since then, so none of it is started or sent automatically.",
	);
	if (hasBridge) {
		console.line("Active plans will be paused when XWorkmate starts, because they may still run where the backup was made.");
		console.line(`  List them: ${commandLine("plans list --status paused")}. Resume one: ${commandLine("plans resume PLAN")}`);
	}
	// Without the variable, the command would start XWorkmate with the default home.
	console.line(
		isOtherHome
			? `Start XWorkmate, with XWORKMATE_HOME=${resolve(home)}: ${commandLine("start")}`
			: `Start XWorkmate: ${commandLine("start")}`,
	);
	return exitCode.success;
}

/** Catches only the reason for the stop: any other error may say where the former home is now. */
function unlessStopped(stop: AbortSignal): (error: unknown) => undefined {
	return (error) => {
		if (!stop.aborted || error !== stop.reason) throw error;
	};
}

/**
 * Handles an error: if the home is in use, throws one that says which process is using it and how to stop that process. Otherwise,
 * rethrows it.
 */
function unlessInUse(home: string, runningApp: RestoreDeps["runningApp"]): (error: unknown) => Promise<never> {
	return async (error) => {
		if (!(error instanceof AppHomeInUse)) throw error;
		const running = await runningApp();
		if (running !== undefined) {
			const message = `XWorkmate is using ${home}. ${runningWords(running.process, Date.now())}`;
			throw new AppError("APP_HOME_IN_USE", message, howToStop(running.process), error);
		}
		const silent = await findSilentOwner(home);
		throw silent === undefined ? error : new AppError("APP_HOME_IN_USE", silentWords(silent), howToEndSilent(silent), error);
	};
}

function progress(console: Console, verb: string): (file: BackedUpFile) => void {
	let count = 0;
	let bytes = 0;
	return ({ sizeBytes }) => {
		count += 1;
		bytes += sizeBytes;
		console.status(`${verb} ${fileCount(count)} (${formatBytes(bytes)})…`);
	};
}

function fileCount(count: number): string {
	return count === 1 ? "1 file" : `${count} files`;
}

function named(title: string, paths: readonly string[]): readonly string[] {
	if (paths.length === 0) return [];
	const more = paths.length - NAMED;
	return [title, ...paths.slice(0, NAMED).map((path) => `  ${oneLine(path, SHOWN)}`), ...(more > 0 ? [`  and ${more} more`] : [])];
}
