import { setTimeout as delay } from "node:timers/promises";
import type { Capabilities, ProviderId } from "@xworkmate/contracts";
import { failureVerdict } from "../../bridge-client/index.ts";
import type { AppSettings } from "../../config/settings.ts";
import { diskFinding } from "../../doctor/examine-machine.ts";
import { hasTerminal } from "../../process/app/own-terminal.ts";
import type { OwnedApp } from "../../process/app/owned-app.ts";
import { findRunningApp } from "../../process/app/running-app.ts";
import { handOver, isInBackground, takeHome } from "../../process/background/take-home.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import type { RunningProcess } from "../../text/running-words.ts";
import type { Console } from "../parts/console.ts";
import { stoppedWords, stoppingLines } from "../stopping/stopping-lines.ts";
import { misspelledWords } from "../words/different-settings-words.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { LINK_LASTS, startLines } from "../words/start-lines.ts";
import { buildPage } from "./build-page.ts";
import { NO_BROWSER } from "./open-page-command.ts";

const ASK_AGAIN_MS = 100;
export interface StartContext {
	readonly settings: AppSettings;
	readonly console: Console;
	/** The program of this command. */
	readonly main: string;
	/** `service`: the system starts it, and restarts it after an error. */
	readonly runsAs: "terminal" | "service";
	/** Whether an app in the background takes over when the terminal is closed. */
	readonly mayHandOver: () => Promise<boolean>;
	/** Resolves with the first SIGINT, SIGTERM or SIGHUP. */
	readonly stopped: Promise<NodeJS.Signals>;
	readonly onError: (error: unknown) => void;
	/**
	 * Opens the page with a separate link, in the browser or a window, and returns what has to be closed at the end. If undefined, the link
	 * is only printed.
	 */
	readonly openPage?: (newLink: () => string) => Promise<AsyncDisposable | undefined>;
	/** Opens the page of the app that is already running in this home, or only prints a link to it below `lead`. */
	readonly openRunning: (lead: string) => Promise<ExitCode>;
}

/**
 * `xworkmate start`: runs the app and, unless `bridgeUrl` names another, the bridge as a child process, until stopped. The app takes over
 * from one in the background, and one in the background may take over when the terminal is closed; active runs continue.
 */
export async function startCommand(context: StartContext): Promise<ExitCode> {
	const { settings, console, stopped, openPage } = context;
	const running = await findRunningApp(settings.home);
	if (running !== undefined && !isInBackground(running)) return joinRunning(context);
	const building = buildPage(context);
	console.note("Starting…");
	const runsAs = context.runsAs === "terminal" && !hasTerminal() ? "detached" : context.runsAs;
	const app = await takeHome({ ...context, runsAs });
	if (app === undefined) return joinRunning(context);
	let shown: AsyncDisposable | undefined;
	let isHandedOver = false;
	let isStopping = false;
	try {
		const capabilities = await untilAnswered(app, settings, stopped);
		if (capabilities === undefined) return exitCode.success;
		await building;
		// The link is not printed before it works.
		const link = app.link() ?? app.url;
		await warnOfSpace(settings.home, console);
		const installable = await installableAgents(app);
		const lines = startLines({ link, home: settings.home, running: { pid: process.pid, runsAs } }, capabilities, installable);
		for (const line of lines) console.line(line);
		// A new link for each call, because a link lets only one browser in.
		const newLink = () => app.link() ?? app.url;
		// Stopping does not wait for a window that is slow to open, because the window ends with this process.
		void openPage?.(newLink).then(
			(window) => {
				shown = window;
			},
			() => console.note(NO_BROWSER),
		);
		const end = await Promise.race([stopped, app.gone]);
		if (end instanceof Error) throw end;
		isHandedOver = end === "SIGHUP" && context.runsAs === "terminal" && (await context.mayHandOver());
		isStopping = !isHandedOver;
		if (isStopping) for (const line of await stoppingLines(app.api, app.endsBridge())) console.note(line);
	} finally {
		await shown?.[Symbol.asyncDispose]();
		if (isHandedOver) await handOver(app, context);
		else await app.close({ leaveBridge: false });
	}
	// Printed only now, because the app and its bridge have to close before "Stopped." is true.
	if (isStopping) console.note(await stoppedWords(settings.home, "Stopped.", settings.bridgeUrl));
	return exitCode.success;
}

/**
 * The bridge's capabilities, once it answers. If the bridge ends while it is resuming its runs, its supervisor starts it again. Undefined if
 * `start` is stopped first.
 * @throws any error of a remote bridge; for this app's own bridge, only an error that another attempt would not resolve
 */
async function untilAnswered(app: OwnedApp, settings: AppSettings, stopped: Promise<unknown>): Promise<Capabilities | undefined> {
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

/** The agents that XWorkmate can install. None if a bridge of an earlier version can't say. */
async function installableAgents({ api }: OwnedApp): Promise<readonly ProviderId[]> {
	const { agents } = await api.agents().catch(() => ({ agents: [] }));
	return agents.flatMap(({ agentId, canInstall }) => (canInstall ? [agentId] : []));
}

/** Warns before the disk is full, while there is still something the user can do. */
async function warnOfSpace(home: string, console: Console): Promise<void> {
	const { state, message, fix } = await diskFinding(home);
	if (state !== "ok") console.note(printable(`Disk: ${message} ${fix ?? ""}`));
}

/** XWorkmate is already running in this home, so `start` opens its page. */
async function joinRunning({ settings, console, openRunning }: StartContext): Promise<ExitCode> {
	const running = await findRunningApp(settings.home);
	const names = (await running?.differentSettings(settings.bridgeEnv)) ?? [];
	for (const line of misspelledWords(settings.bridgeEnv)) console.note(line);
	if (names.length > 0) {
		console.note(printable(`The running XWorkmate has different settings: ${names.join(", ")}.`));
		const how = running === undefined ? "stop XWorkmate" : stopWords(running.process);
		console.note(`To apply the settings of this terminal, ${how}, then start XWorkmate here: ${commandLine("start")}`);
	}
	return openRunning(`XWorkmate is already running. Open it (${LINK_LASTS}):`);
}

/** How to stop the running app, as part of a sentence. */
function stopWords({ pid, runsAs }: RunningProcess): string {
	if (runsAs === "service") return `stop XWorkmate (${commandLine("service uninstall")})`;
	if (runsAs === "terminal") return "stop XWorkmate with Ctrl+C in its terminal";
	return `end process ${pid}`;
}
