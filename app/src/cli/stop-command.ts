import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../errors/app-error.ts";
import { findRunningApp } from "../process/app/running-app.ts";
import { isAlive } from "../process/bridge/adopt-bridge.ts";
import { howToStop, runningWords } from "../text/running-words.ts";
import type { Console } from "./words/console.ts";
import { type ExitCode, exitCode } from "./words/exit-code.ts";
import { stoppingLines } from "./words/stopping-lines.ts";

/** Longer than the bridge has to end its runs. */
const ENDED_MS = 60_000;
const LOOK_EVERY_MS = 50;

export interface StopContext {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	readonly console: Console;
}

/**
 * `xworkmate stop`: ends the app in the background, with its bridge, and says which runs that ends.
 * @throws AppError NOT_IN_BACKGROUND if it runs in a terminal or as a service
 */
export async function stopCommand({ home, console }: StopContext): Promise<ExitCode> {
	const running = await findRunningApp(home);
	if (running === undefined) {
		console.line("XWorkmate isn't running.");
		return exitCode.success;
	}
	const { pid, runsAs, endsBridge = false } = running.process;
	if (runsAs !== "background")
		throw new AppError(
			"NOT_IN_BACKGROUND",
			`This command only ends an app in the background. ${runningWords(running.process, Date.now())}`,
			howToStop(runsAs),
		);
	for (const line of await stoppingLines(running.api, endsBridge)) console.note(line);
	await running.end("end");
	for (const until = performance.now() + ENDED_MS; isAlive(pid); await delay(LOOK_EVERY_MS)) {
		if (performance.now() > until)
			throw new AppError("APP_HOME_IN_USE", `Process ${pid} has not ended yet.`, "See what the process is doing, or end it yourself.");
	}
	console.line("XWorkmate has stopped.");
	return exitCode.success;
}
