import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { LAUNCH_LABEL, launchAgent } from "./launch-agent.ts";
import type { ServiceProgram } from "./service-program.ts";
import { systemdUnit } from "./systemd-unit.ts";

const UNIT = "xworkmate.service";
const PRIVATE = 0o600;

/** Runs a program of the system until it ends. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<{ readonly code: number; readonly output: string }>;

export interface UserServiceOptions {
	readonly platform: NodeJS.Platform;
	/** The user's home folder. */
	readonly userHome: string;
	readonly userId: number;
	/** `XDG_CONFIG_HOME`. */
	readonly configHome?: string | undefined;
	readonly run: RunProgram;
}

export type ServiceState = "running" | "stopped" | "failed" | "unknown";

/** XWorkmate as a service of the user, which the system starts when the user logs in. */
export interface UserService {
	/** The service's file. */
	readonly path: string;
	readonly isInstalled: boolean;
	/**
	 * Writes the service's file and starts the service; one that is running is restarted, so that it has what the file says now.
	 * @throws AppError SERVICE_NOT_CONTROLLED if the system did not accept it; the file is kept
	 */
	install(program: ServiceProgram): Promise<void>;
	/** The state that the system reports now. */
	state(): Promise<ServiceState>;
	/**
	 * Stops the service and removes its file.
	 * @throws AppError SERVICE_NOT_CONTROLLED if the service may still be running; the file is kept
	 */
	uninstall(): Promise<void>;
}

/** @throws AppError SERVICE_REFUSED on a system that has neither systemd nor launchd */
export function userService(options: UserServiceOptions): UserService {
	if (options.platform === "linux") return systemdService(options);
	if (options.platform === "darwin") return launchdService(options);
	throw new AppError(
		"SERVICE_REFUSED",
		"XWorkmate can run as a service only on macOS and on Linux with systemd.",
		`Start it in a terminal instead: ${commandLine("start")}`,
	);
}

function systemdService({ userHome, configHome, run }: UserServiceOptions): UserService {
	const path = join(configHome || join(userHome, ".config"), "systemd", "user", UNIT);
	const systemctl = (...args: string[]) => run("systemctl", ["--user", ...args]);
	const order = ordered("systemctl --user", systemctl);
	return {
		path,
		get isInstalled() {
			return existsSync(path);
		},
		install: async (program) => {
			await replaceFile(path, systemdUnit(program));
			await order("service install", "daemon-reload");
			await order("service install", "enable", UNIT);
			// "enable --now" would leave a running service as it is.
			await order("service install", "restart", UNIT);
		},
		state: async () => systemdState((await systemctl("is-active", UNIT)).output.trim()),
		uninstall: async () => {
			await order("service uninstall", "disable", "--now", UNIT);
			await rm(path, { force: true });
			await order("service uninstall", "daemon-reload");
		},
	};
}

function systemdState(word: string): ServiceState {
	if (word === "active" || word === "activating" || word === "reloading") return "running";
	if (word === "inactive" || word === "deactivating") return "stopped";
	return word === "failed" ? "failed" : "unknown";
}

function launchdService({ userHome, userId, run }: UserServiceOptions): UserService {
	const path = join(userHome, "Library", "LaunchAgents", `${LAUNCH_LABEL}.plist`);
	const launchctl = (...args: string[]) => run("launchctl", args);
	const order = ordered("launchctl", launchctl);
	const domain = `gui/${userId}`;
	const print = () => launchctl("print", `${domain}/${LAUNCH_LABEL}`);
	return {
		path,
		get isInstalled() {
			return existsSync(path);
		},
		install: async (program) => {
			await replaceFile(path, launchAgent(program));
			if ((await print()).code === 0) await order("service install", "bootout", `${domain}/${LAUNCH_LABEL}`);
			await order("service install", "bootstrap", domain, path);
		},
		state: async () => {
			const { code, output } = await print();
			return code === 0 && output.split("\n").some((line) => line.trim() === "state = running") ? "running" : "stopped";
		},
		uninstall: async () => {
			if ((await print()).code === 0) await order("service uninstall", "bootout", `${domain}/${LAUNCH_LABEL}`);
			await rm(path, { force: true });
		},
	};
}

/** Returns a function that runs the system's program and throws if the program fails. */
function ordered(name: string, run: (...args: string[]) => ReturnType<RunProgram>) {
	return async (command: string, ...args: string[]): Promise<void> => {
		const { code, output } = await run(...args);
		if (code === 0) return;
		const typed = `${name} ${args.join(" ")}`;
		const said = output.trim().split("\n").at(-1)?.slice(0, 500);
		throw new AppError(
			"SERVICE_NOT_CONTROLLED",
			said ? `"${typed}" failed: ${said}` : `"${typed}" failed.`,
			`Run the command again in your own login session: ${commandLine(command)}`,
		);
	};
}

/** Replaces a file that only the user may read. A start never finds it half written. */
async function replaceFile(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const fresh = `${path}.${process.pid}`;
	try {
		await writeFile(fresh, text, { mode: PRIVATE, flush: true });
		await rename(fresh, path);
	} finally {
		await rm(fresh, { force: true });
	}
}
