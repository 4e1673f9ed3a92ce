import type { SettingsView } from "../api/ui-api.ts";
import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";

/** The process around the app: what it alone knows and may do. */
export interface AppHost {
	settings(): SettingsView;
	/** Absent when the bridge is not this app's own. */
	readonly restartBridge?: () => Promise<void>;
	/** Opens a folder with this machine's file browser. */
	openPath(path: string): Promise<void>;
	/** Values of the environment that never leave in a log. */
	readonly secrets: readonly string[];
}

/** An app without pages, for a command: there is nothing to show and nothing to open. */
export const headlessHost: AppHost = {
	settings: () => {
		throw noPages();
	},
	openPath: () => Promise.reject(noPages()),
	secrets: [],
};

function noPages(): AppError {
	return new AppError("INVALID_INPUT", "This command serves no page.", `Start the app with \`${commandLine("start")}\`.`);
}
