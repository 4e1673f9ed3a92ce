import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage } from "@xworkmate/platform/errors";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { agentVariable, LAUNCH_LABEL, launchAgent } from "./launch-agent.ts";
import type { ServiceProgram } from "./service-program.ts";
import { systemdUnit, unitVariable } from "./systemd-unit.ts";

const UNIT = "xworkmate.service";
const PRIVATE = 0o600;

/** Runs a program of the system until it ends. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<{ readonly code: number; readonly output: string }>;

export interface UserServiceOptions {
	readonly platform: NodeJS.Platform;
	/** The user's home folder. */
	readonly userHome: string;
	readonly userId: number;
	readonly userName: string;
	/** `XDG_CONFIG_HOME`. */
	readonly configHome?: string | undefined;
	/** The folder that exists while the user's systemd runs. */
	readonly managerFolder?: string;
	/** The folder with a file for each user whose systemd starts with the computer. */
	readonly lingerFolder?: string;
	readonly run: RunProgram;
}

/**
 * `running`: there is a process, which may not answer. `restarting`: it ended with an error and is about to be started again. `stopping`:
 * its process is about to end.
 */
export type ServiceState = "running" | "starting" | "restarting" | "stopping" | "stopped" | "failed" | "unknown";

/** XWorkmate as a service of the user, which the system starts when the user logs in. */
export interface UserService {
	/** The service's file. */
	readonly path: string;
	readonly isInstalled: boolean;
	/** Why the service can't be installed here now; undefined if it can. */
	readonly refusal: AppError | undefined;
	/** True if the system starts the service with the computer, before the user logs in. */
	readonly startsWithComputer: boolean;
	/** The `XWORKMATE_HOME` in the service's file; undefined if the file does not set it. */
	home(): Promise<string | undefined>;
	/**
	 * Writes the service's file and starts the service; a service that is running is restarted, so that the new file takes effect.
	 * @throws AppError SERVICE_REFUSED if the user's systemd is not running; nothing was written
	 * @throws AppError SERVICE_NOT_CONTROLLED if the system did not accept the service; the file is kept
	 */
	install(program: ServiceProgram): Promise<void>;
	/** The state that the system reports now. */
	state(): Promise<ServiceState>;
	/**
	 * Stops the service and removes its file. Returns false if the service can't have been running: on Linux if the user's systemd is not
	 * running, and on macOS if launchd has not loaded the service.
	 * @throws AppError SERVICE_NOT_CONTROLLED with what was done: the service may still be running (its file is then kept), its file could
	 * not be removed, or systemd did not reload
	 */
	uninstall(): Promise<boolean>;
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

function systemdService({ userHome, userId, userName, configHome, managerFolder, lingerFolder, run }: UserServiceOptions): UserService {
	const hasManager = () => existsSync(managerFolder ?? `/run/user/${userId}/systemd`);
	const path = join(configHome || join(userHome, ".config"), "systemd", "user", UNIT);
	const systemctl = (...args: string[]) => run("systemctl", ["--user", ...args]);
	const order = ordered("systemctl --user", systemctl);
	return {
		path,
		get isInstalled() {
			return existsSync(path);
		},
		get refusal() {
			return hasManager() ? undefined : withoutManager();
		},
		get startsWithComputer() {
			return existsSync(join(lingerFolder ?? "/var/lib/systemd/linger", userName));
		},
		home: async () => unitVariable(await readFile(path, "utf8"), "XWORKMATE_HOME"),
		install: async (program) => {
			if (!hasManager()) throw withoutManager();
			await replaceFile(path, systemdUnit(program));
			await order("service install", "daemon-reload");
			await order("service install", "enable", UNIT);
			// "enable --now" would leave a running service as it is.
			await order("service install", "restart", UNIT);
		},
		state: async () => (hasManager() ? systemdState((await systemctl("show", "--property=ActiveState,SubState", UNIT)).output) : "stopped"),
		uninstall: async () => {
			const isManaged = hasManager();
			if (isManaged) await stopping(order("service uninstall", "disable", "--now", UNIT));
			// The link that "enable" created is removed, because systemd would later look for the file that the link points to.
			else await rm(join(dirname(path), "default.target.wants", UNIT), { force: true });
			await removeFile(path, isManaged);
			if (isManaged) await reloading(order("service uninstall", "daemon-reload"));
			return isManaged;
		},
	};
}

function withoutManager(): AppError {
	return new AppError(
		"SERVICE_REFUSED",
		"Your user account isn't running systemd, so the service would never start. Without a service, commands start XWorkmate in the background when they need it.",
		`To keep XWorkmate running in a terminal: ${commandLine("start")}`,
	);
}

function systemdState(shown: string): ServiceState {
	const lines = shown.split("\n").map((line) => line.trim());
	const state = lines.find((line) => line.startsWith("ActiveState="))?.slice("ActiveState=".length);
	// Between two attempts of a program that keeps failing, the unit is "activating", not "failed".
	if (state === "activating") return lines.includes("SubState=auto-restart") ? "restarting" : "starting";
	if (state === "active" || state === "reloading") return "running";
	if (state === "deactivating") return "stopping";
	if (state === "inactive") return "stopped";
	return state === "failed" ? "failed" : "unknown";
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
		refusal: undefined,
		startsWithComputer: false,
		home: async () => agentVariable(await readFile(path, "utf8"), "XWORKMATE_HOME"),
		install: async (program) => {
			await replaceFile(path, launchAgent(program));
			if ((await print()).code === 0) await order("service install", "bootout", `${domain}/${LAUNCH_LABEL}`);
			await order("service install", "bootstrap", domain, path);
		},
		state: async () => {
			const { code, output } = await print();
			if (code !== 0) return saysAbsent(output) ? "stopped" : "unknown";
			return output.split("\n").some((line) => line.trim() === "state = running") ? "running" : "stopped";
		},
		uninstall: async () => {
			const { code, output } = await print();
			// If launchd doesn't say that it has no such service, the command that ends the service shows whether it has.
			const isLoaded = code === 0 || !saysAbsent(output);
			if (isLoaded) await stopping(order("service uninstall", "bootout", `${domain}/${LAUNCH_LABEL}`));
			await removeFile(path, isLoaded);
			return isLoaded;
		},
	};
}

/** True if launchd says that it has no such service, or that the user has no session in which it could run. */
function saysAbsent(output: string): boolean {
	return output.includes("Could not find");
}

/** Adds to the error of a failed stop that the service may still be running, and that its file was kept. */
async function stopping(order: Promise<void>): Promise<void> {
	await order.catch((error: unknown) => {
		throw error instanceof AppError ? withWords(error, "The service may still be running, and its file was kept.") : error;
	});
}

/** The service has already been removed when systemd is told to reload, so running the command again would find nothing to do. */
async function reloading(order: Promise<void>): Promise<void> {
	await order.catch((error: unknown) => {
		if (!(error instanceof AppError)) throw error;
		throw withWords(error, "The service was stopped and its file was removed.", "Reload systemd: systemctl --user daemon-reload");
	});
}

function withWords({ code, message, fix }: AppError, words: string, otherFix = fix): AppError {
	return new AppError(code, `${message}${message.endsWith(".") ? "" : "."} ${words}`, otherFix);
}

/** @throws AppError SERVICE_NOT_CONTROLLED */
async function removeFile(path: string, wasStopped: boolean): Promise<void> {
	await rm(path, { force: true }).catch((error: unknown) => {
		const done = wasStopped ? "The service was stopped, but its" : "The service's";
		throw new AppError(
			"SERVICE_NOT_CONTROLLED",
			`${done} file can't be removed: ${errorMessage(error)}`,
			`Make its folder writable, then run the command again: ${commandLine("service uninstall")}`,
		);
	});
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
