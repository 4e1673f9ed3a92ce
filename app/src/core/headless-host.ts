import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";
import type { UiHost } from "./ui-core-parts.ts";

/** A core without windows, for a command: there is nothing to show and nothing to open. */
export const headlessHost: UiHost = {
	settings: () => {
		throw noWindows();
	},
	openPath: () => Promise.reject(noWindows()),
	secrets: [],
};

function noWindows(): AppError {
	return new AppError("INVALID_INPUT", "This command serves no page.", `Start the app with \`${commandLine("start")}\`.`);
}
