import { commandLine } from "./command-line.ts";
import { localTime } from "./local-time.ts";

/** How the process that owns the home was started. Undefined for a process of an earlier version, which does not report it. */
export type RunsAs = "terminal" | "detached" | "background" | "service" | "command" | undefined;

export interface RunningProcess {
	readonly pid: number;
	readonly runsAs?: RunsAs;
	readonly since?: string;
}

/** A process that owns the home but isn't responding. */
export interface SilentProcess {
	readonly pid?: number;
}

/** How the app runs, and since when: `Running in the background since 12:03 (process 4711).` */
export function runningWords({ pid, runsAs, since }: RunningProcess, nowMs: number): string {
	const from = since === undefined ? "" : ` since ${localTime(since, nowMs)}`;
	return `${places[runsAs ?? "unknown"]}${from} (process ${pid}).`;
}

const places = {
	terminal: "Running in a terminal",
	detached: "Running without a terminal",
	background: "Running in the background",
	service: "Running as a service",
	command: "Running for a single command",
	unknown: "Running",
} as const;

/** How the user can stop the process that owns the home. */
export function howToStop({ pid, runsAs }: RunningProcess): string {
	switch (runsAs) {
		case "background":
			return `Stop it: ${commandLine("stop")}`;
		case "service":
			return `Stop and remove the service: ${commandLine("service uninstall")}`;
		case "command":
			return "Wait until the command has finished.";
		case "detached":
			return `To stop it, end process ${pid}.`;
		case "terminal":
			return "Stop it with Ctrl+C in its terminal.";
		case undefined:
			return `Stop it with Ctrl+C in its terminal, or end process ${pid}.`;
	}
}

/** Says that the process that owns the home isn't responding, and what the cause may be. */
export function silentWords({ pid }: SilentProcess): string {
	const which = pid === undefined ? "" : ` (process ${pid})`;
	return `XWorkmate is using this data folder but isn't responding${which}. It may be starting or stopping, suspended or stuck.`;
}

/** What the user can do about a process that isn't responding. */
export function howToEndSilent({ pid }: SilentProcess): string {
	const end = pid === undefined ? "end its process" : `end process ${pid}`;
	return `Wait a moment, then try again. If you suspended it with Ctrl+Z, type fg in its terminal. If it is stuck, ${end}.`;
}
