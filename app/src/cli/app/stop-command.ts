import { setTimeout as delay } from "node:timers/promises";
import { BridgeClient, findBridge } from "../../bridge-client/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { findRunningApp, type RunningApp } from "../../process/app/running-app.ts";
import { findSilentOwner } from "../../process/app/silent-owner.ts";
import { adoptBridge, findSilentBridge, isAlive } from "../../process/bridge/adopt-bridge.ts";
import { forgetOwnBridge } from "../../process/bridge/bridge-files.ts";
import { ownAppHome } from "../../store/app-home.ts";
import { howToEndSilent, howToStop, runningWords, silentWords } from "../../text/running-words.ts";
import type { Console } from "../parts/console.ts";
import { leftBridgeLines, stoppedWords, stoppingLines } from "../stopping/stopping-lines.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

/** Longer than the time that the bridge has to end its runs. */
const ENDED_MS = 60_000;
/** How long to wait for an answer from a process that owns the home, since it may still be starting. */
const SILENT_MS = 2_000;
const LOOK_EVERY_MS = 50;

export interface StopContext {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	readonly console: Console;
}

/**
 * `xworkmate stop`: ends the app in the background, with its bridge, and says which runs end with it. A bridge whose app died is also
 * ended.
 * @throws AppError NOT_IN_BACKGROUND if the app, or a bridge without one, runs in a terminal or as a service; APP_HOME_IN_USE if the app
 * doesn't answer or doesn't end
 */
export async function stopCommand({ home, console }: StopContext): Promise<ExitCode> {
	const running = await findApp(home);
	if (running === undefined) return await stopLeftBridge(home, console);
	const { pid, runsAs, endsBridge = false } = running.process;
	if (runsAs !== "background")
		throw new AppError(
			"NOT_IN_BACKGROUND",
			`This command only stops an app that runs in the background. ${runningWords(running.process, Date.now())}`,
			howToStop(running.process),
		);
	const bridgeUrl = endsBridge ? undefined : await remoteBridgeOf(running);
	for (const line of await stoppingLines(running.api, endsBridge)) console.note(line);
	await running.end("end");
	for (const until = performance.now() + ENDED_MS; isAlive(pid); await delay(LOOK_EVERY_MS)) {
		if (performance.now() > until)
			throw new AppError("APP_HOME_IN_USE", `Process ${pid} has not ended yet.`, `Wait, then try again, or end the process: kill ${pid}`);
	}
	// An app that was killed has not ended its bridge.
	const left = await adoptBridge(home);
	if (left?.own === true && (await findRunningApp(home)) === undefined) return await stopLeftBridge(home, console);
	console.line(await stoppedWords(home, "XWorkmate has stopped.", bridgeUrl));
	return exitCode.success;
}

/** The address of the bridge that an app uses, if its settings name one. An app of an earlier version can't list its settings. */
async function remoteBridgeOf({ api }: RunningApp): Promise<string | undefined> {
	const list = await api.listSettings().catch(() => undefined);
	const url = list?.settings.find(({ key }) => key === "bridgeUrl")?.value;
	return typeof url === "string" ? url : undefined;
}

/** The app, once it answers; undefined if no process owns the home. */
async function findApp(home: string): Promise<RunningApp | undefined> {
	for (const until = performance.now() + SILENT_MS; ; await delay(LOOK_EVERY_MS)) {
		const running = await findRunningApp(home);
		if (running !== undefined) return running;
		const silent = await findSilentOwner(home);
		if (silent === undefined) return undefined;
		if (performance.now() > until) throw new AppError("APP_HOME_IN_USE", silentWords(silent), howToEndSilent(silent));
	}
}

/** Ends a bridge of this home whose app is gone. */
async function stopLeftBridge(home: string, console: Console): Promise<ExitCode> {
	const bridge = await adoptBridge(home);
	if (bridge === undefined) {
		const silent = await findSilentBridge(home);
		console.line(
			silent === undefined
				? "XWorkmate isn't running."
				: `The app isn't running. A bridge may still be running (process ${silent.pid}), but it isn't responding. If it is, end that process.`,
		);
		return exitCode.success;
	}
	const { pid, url } = bridge.endpoint;
	if (!bridge.own)
		throw new AppError(
			"NOT_IN_BACKGROUND",
			`The app isn't running, but a bridge that was started separately is: process ${pid}, at ${url}. This command doesn't stop it.`,
			`Stop it with Ctrl+C in its terminal, or end process ${pid}.`,
		);
	// An app that starts in the meantime would take this bridge over and restart it.
	using _owned = ownAppHome(home);
	for (const line of await leftBridgeLines(new BridgeClient(() => findBridge({ home })))) console.note(line);
	await bridge.stop();
	await forgetOwnBridge(home);
	console.line("XWorkmate has stopped.");
	return exitCode.success;
}
