import { AppError } from "../app-error.ts";
import { findRunningApp } from "../app-process/running-app.ts";
import type { Console } from "./console.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";

export interface OpenPageContext {
	readonly home: string;
	readonly console: Console;
	/** Opens an address with this machine's browser. */
	readonly open: (url: string) => Promise<void>;
}

/**
 * `xworkmate open`: a new link that lets one browser in. It is printed as well: the browser may be on another screen.
 * @throws AppError APP_NOT_RUNNING
 */
export async function openPageCommand({ home, console, open }: OpenPageContext, printOnly: boolean): Promise<ExitCode> {
	const running = await findRunningApp(home);
	const path = await running?.app.openKey();
	if (running === undefined || path === undefined) {
		throw new AppError("APP_NOT_RUNNING", "no app with a page runs in this home", "Start it: xworkmate start");
	}
	console.line(running.url + path);
	// The link is there; a machine without a browser is no failure.
	if (!printOnly) await open(running.url + path).catch(() => console.note("No browser could be opened here; open the link yourself."));
	return exitCode.success;
}
