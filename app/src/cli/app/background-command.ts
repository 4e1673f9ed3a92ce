import type { AppSettings } from "../../config/settings.ts";
import { toFailure } from "../../errors/failure.ts";
import { boundAppLog } from "../../process/background/app-log.ts";
import { runBackground } from "../../process/background/run-background.ts";
import { reportStart, type StartReport } from "../../process/background/spawn-background.ts";
import { printable } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

export interface BackgroundContext {
	readonly settings: AppSettings;
	readonly console: Console;
	/** Settles with the first SIGINT, SIGTERM or SIGHUP. */
	readonly stopped: Promise<unknown>;
}

export interface BackgroundHow {
	/** Reports the result of the start to the process that started this one. */
	readonly report?: boolean;
}

/** `xworkmate background`, which commands start when they need an app and none is running, and `start` when its terminal is closed. */
export async function backgroundCommand({ settings, console, stopped }: BackgroundContext, how: BackgroundHow): Promise<ExitCode> {
	const { home, backgroundIdleMs } = settings;
	const onNote = (words: string) => {
		boundAppLog(home);
		console.note(`${new Date().toISOString()} ${printable(words)}`);
	};
	let isReported = how.report !== true;
	const onReady = (report: StartReport) => {
		if (!isReported) reportStart(report);
		isReported = true;
	};
	const onError = (error: unknown) => onNote(toFailure(error).message);
	try {
		await runBackground({ settings, idleMs: backgroundIdleMs, stopped, onReady, onNote, onError });
		return exitCode.success;
	} catch (error) {
		const failure = toFailure(error);
		onNote(`${failure.message} (${failure.code})`);
		onReady({ state: "failed", failure });
		return exitCode.beforeRun;
	}
}
