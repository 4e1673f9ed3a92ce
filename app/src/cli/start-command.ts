import { setTimeout as delay } from "node:timers/promises";
import type { Capabilities } from "@xworkmate/contracts";
import { failureVerdict } from "../bridge-client/index.ts";
import type { AppSettings } from "../config/settings.ts";
import { diskFinding } from "../doctor/examine-machine.ts";
import { AppHomeInUse } from "../errors/app-error.ts";
import { type OwnedApp, openOwnedApp } from "../process/app/owned-app.ts";
import { findRunningApp } from "../process/app/running-app.ts";
import { buildPageWhenStale, builtPage } from "../process/page-build.ts";
import { commandLine } from "../text/command-line.ts";
import { printable } from "../text/printable.ts";
import { NO_BROWSER } from "./open-page-command.ts";
import type { Console } from "./words/console.ts";
import { type ExitCode, exitCode } from "./words/exit-code.ts";
import { LINK_LASTS, startLines } from "./words/start-lines.ts";
import { stoppingLines } from "./words/stopping-lines.ts";

/** How much of the end of the builder's output is kept, in characters. */
const BUILDER_WORDS = 2_000;
const ASK_AGAIN_MS = 100;
/** How long another process may hold the home without answering, because it is starting or ending. */
const HELD_MS = 10_000;

export interface StartContext {
	readonly settings: AppSettings;
	readonly console: Console;
	/** Resolves with the first SIGINT or SIGTERM. */
	readonly stopped: Promise<void>;
	readonly onError: (error: unknown) => void;
	/**
	 * Opens the page with a separate link, in the browser or a window, and returns what has to be closed at the end. If it is
	 * undefined, the link is only printed.
	 */
	readonly openPage?: (newLink: () => string) => Promise<AsyncDisposable | undefined>;
	/** Prints a new link below `lead` when an app is already running in this home. */
	readonly openRunning: (lead: string) => Promise<ExitCode>;
}

/** `xworkmate start`: runs the app and, as a child process, the bridge, until stopped. */
export async function startCommand(context: StartContext): Promise<ExitCode> {
	const { settings, console, stopped, onError, openPage } = context;
	const running = await findRunningApp(settings.home);
	if (running !== undefined) return joinRunning(context);
	const building = buildPage(console, onError, stopped);
	console.note("Starting…");
	const options = { settings, anyPort: false, onNote: console.note, onError, assets: builtPage };
	const app = await openOwnedApp(options).catch((error: unknown) => {
		if (error instanceof AppHomeInUse) return untilAnswering(settings.home, error);
		throw error;
	});
	if (app === undefined) return joinRunning(context);
	let shown: AsyncDisposable | undefined;
	try {
		const capabilities = await untilAnswered(app, settings, stopped);
		if (capabilities === undefined) return exitCode.success;
		await building;
		// The link is printed only once it works.
		const link = app.link() ?? app.url;
		await warnOfSpace(settings.home, console);
		for (const line of startLines({ link, home: settings.home }, capabilities)) console.line(line);
		// The app also runs on a machine without a browser.
		const newLink = () => app.link() ?? app.url;
		// Stopping does not wait for a window that is slow to open, because the window ends with this process.
		void openPage?.(newLink).then(
			(window) => {
				shown = window;
			},
			() => console.note(NO_BROWSER),
		);
		const gone = await Promise.race([stopped, app.gone]);
		if (gone !== undefined) throw gone;
		for (const line of await stoppingLines(app.api, app.endsBridge())) console.note(line);
	} finally {
		await shown?.[Symbol.asyncDispose]();
		await app.close({ leaveBridge: false });
	}
	return exitCode.success;
}

/**
 * The bridge's capabilities, once it answers. If the bridge ends while it is resuming its runs, its supervisor starts it again.
 * Undefined if `start` is stopped meanwhile.
 * @throws any error of a remote bridge; of this app's own, only one that another attempt would not resolve
 */
async function untilAnswered(app: OwnedApp, settings: AppSettings, stopped: Promise<void>): Promise<Capabilities | undefined> {
	let isStopped = false;
	const stop = stopped.then(() => {
		isStopped = true;
		return undefined;
	});
	while (!isStopped) {
		try {
			return await Promise.race([app.api.capabilities(), stop]);
		} catch (error) {
			if (settings.bridgeUrl !== undefined || failureVerdict(error)?.again !== true) throw error;
			await Promise.race([delay(ASK_AGAIN_MS, undefined, { ref: false }), stop]);
		}
	}
	return undefined;
}

/** Warns before the disk is full, while there is still something the user can do. */
async function warnOfSpace(home: string, console: Console): Promise<void> {
	const { state, message, fix } = await diskFinding(home);
	if (state !== "ok") console.note(printable(`Disk: ${message} ${fix ?? ""}`));
}

/** The command works without a page, so a failed build is only reported. */
async function buildPage(console: Console, onError: (error: unknown) => void, stopped: Promise<void>): Promise<void> {
	const stop = new AbortController();
	void stopped.then(() => stop.abort());
	try {
		await buildPageWhenStale(console.note, stop.signal);
	} catch (error) {
		if (stop.signal.aborted) return;
		console.note("The page could not be built. The command works without it.");
		const said = error instanceof Error && "stderr" in error && typeof error.stderr === "string" ? error.stderr.trim() : "";
		if (said === "") onError(error);
		else console.note(printable(said.slice(-BUILDER_WORDS)));
	}
}

/**
 * Waits while another process takes or releases the home: one that is starting will answer soon.
 * @throws AppHomeInUse when none answers
 */
async function untilAnswering(home: string, inUse: AppHomeInUse): Promise<undefined> {
	for (const until = Date.now() + HELD_MS; Date.now() < until; await delay(ASK_AGAIN_MS)) {
		if ((await findRunningApp(home)) !== undefined) return undefined;
	}
	throw inUse;
}

/** XWorkmate already runs in this home, so `start` opens its page. */
async function joinRunning({ settings, console, openRunning }: StartContext): Promise<ExitCode> {
	const running = await findRunningApp(settings.home);
	const names = (await running?.differentSettings(settings.bridgeEnv)) ?? [];
	if (names.length > 0) {
		console.note(printable(`The running XWorkmate has different settings: ${names.join(", ")}.`));
		console.note(`To apply the settings of this terminal, stop it with Ctrl+C where it runs, then start it here: ${commandLine("start")}`);
	}
	return openRunning(`XWorkmate is already running. Open it (${LINK_LASTS}):`);
}
