import { AppError } from "../../errors/app-error.ts";
import type { RunningApp } from "../../process/app/running-app.ts";
import { commandLine } from "../../text/command-line.ts";
import type { OpenPageHow } from "../parts/command-parts.ts";
import type { Console } from "../parts/console.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

export interface OpenPageContext {
	readonly home: string;
	/** The app of the home; undefined if none is running and none may be started. */
	readonly running: () => Promise<Pick<RunningApp, "url" | "pid" | "process" | "openKey"> | undefined>;
	/** Makes sure that there is a page to open. An app in the background does not build it. */
	readonly buildPage: () => Promise<void>;
	readonly console: Console;
	/** Opens an address in this machine's browser. */
	readonly open: (url: string) => Promise<void>;
	/** Shows the page in a window until the window is closed. */
	readonly showWindow: (newLink: () => Promise<string>) => Promise<void>;
}

/** A machine without a browser is not an error, because the link is also printed. */
export const NO_BROWSER = "Couldn't open a browser here. Open the link yourself.";

/**
 * `xworkmate open`: creates a new link that lets one browser in. Unless a window or its browser opens, the link is also printed, because
 * the browser may be on another screen. `lead`: a line above it; not printed if a window was requested.
 * @throws AppError APP_NOT_RUNNING, APP_HOME_IN_USE
 */
export async function openPageCommand(
	{ home, running: find, buildPage, console, open, showWindow }: OpenPageContext,
	how: OpenPageHow,
	lead?: string,
): Promise<ExitCode> {
	const newLink = async () => {
		const running = await find();
		if (running?.process.runsAs === "background") await buildPage();
		const path = await running?.openKey();
		if (running !== undefined && path === undefined) {
			// The process that owns the home is a command, which serves no page and exits soon.
			const fix = `Wait until it has finished, then start XWorkmate: ${commandLine("start")}`;
			throw new AppError("APP_HOME_IN_USE", `Another XWorkmate command (process ${running.pid}) is using ${home}.`, fix);
		}
		if (running === undefined) {
			throw new AppError("APP_NOT_RUNNING", `XWorkmate isn't running for the data folder ${home}.`, `Start it: ${commandLine("start")}`);
		}
		return running.url + path;
	};
	const noBrowser = () => console.note(NO_BROWSER);
	if (how === "window") {
		await showWindow(newLink).catch(async (error: unknown) => {
			if (error instanceof AppError) throw error;
			noBrowser();
			// The window may have used up the link that it was given.
			console.line(await newLink());
		});
		return exitCode.success;
	}
	const link = await newLink();
	if (lead !== undefined) console.line(lead);
	console.line(link);
	// The browser gets a link of its own, because the printed one lets only one browser in.
	if (how === "browser") await open(await newLink()).catch(noBrowser);
	return exitCode.success;
}
