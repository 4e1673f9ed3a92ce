import type { SettingsView } from "../api/ui-api.ts";
import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";
import type { RunningProcess } from "../text/running-words.ts";

/** The process that the app runs in: information and actions that only it has. */
export interface AppHost {
	settings(): SettingsView;
	/** This process: its id, how it was started, and since when it has been running. */
	readonly running?: RunningProcess;
	/** Absent for a bridge elsewhere. Refuses to restart a bridge that the user started. */
	readonly restartBridge?: () => Promise<void>;
	/**
	 * Whether this app restarts the bridge, which then has `environment`. False for a bridge that the user started; absent for one elsewhere.
	 */
	readonly ownsBridge?: () => boolean;
	/** Whether the user started the bridge that runs in this home; absent for a bridge elsewhere. */
	readonly startedByUser?: () => boolean;
	/** Opens a folder in this machine's file browser. */
	openPath(path: string): Promise<void>;
	/** The environment that this process was started with and passes to its bridge. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** The app's own settings in this process, by variable. */
	readonly startedWith: Readonly<Record<string, string | undefined>>;
	/** Values of the environment that are redacted in every log. */
	readonly secrets: readonly string[];
}

/** For an app that was opened without a host: functions that need one fail. */
export const headlessHost: AppHost = {
	settings: () => {
		throw noPages();
	},
	openPath: () => Promise.reject(noPages()),
	environment: {},
	startedWith: {},
	secrets: [],
};

function noPages(): AppError {
	return new AppError("INVALID_INPUT", "This command does not serve the page.", `Start the app with \`${commandLine("start")}\`.`);
}
