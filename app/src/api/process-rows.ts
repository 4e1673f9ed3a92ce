import type { Timestamp } from "@xworkmate/contracts";
import { z } from "zod";
import { action, commandOnly, type Functions, nothing, query } from "./method.ts";

/**
 * How the process that owns the home was started: `start` in a terminal, `start` without one (nohup, setsid), in the background by a
 * command that needed it or a `start` whose terminal was closed, as a service by the system, or as a command that owns the home itself.
 */
export type RunsAs = "terminal" | "detached" | "background" | "service" | "command";

/** The process that owns the home. An earlier version reports only its `pid`. */
export interface AppProcess {
	readonly pid: number;
	readonly version?: string;
	readonly runsAs?: RunsAs;
	readonly since?: Timestamp;
	/** True if the app's bridge ends with this process. */
	readonly endsBridge?: boolean;
	/** The path of its home, without symbolic links. */
	readonly home?: string;
}

/**
 * What happens to the bridge of an app that ends. `leave`: it continues, and the next app takes it over; `leave_for_runs`: it continues only
 * if a run is active; `end`: it ends, and its runs with it.
 */
const LeftBridge = z.enum(["leave", "leave_for_runs", "end"]);
export type LeftBridge = z.output<typeof LeftBridge>;

/** The app is about to end and has not carried out any part of the call. */
export const APP_ENDING = "APP_ENDING";

/** Methods for commands, implemented by the process that the app runs in. */
export const processMethods = {
	/** Reports which process responds. */
	ping: query(nothing).returns<AppProcess>(),
	/**
	 * Ends an app in the background, after waiting at most a few seconds for the calls in progress to be answered.
	 * @throws AppError NOT_IN_BACKGROUND
	 */
	endApp: commandOnly(action(z.strictObject({ bridge: LeftBridge })).returns<void>()),
};

export type ProcessFunctions = Functions<typeof processMethods>;
