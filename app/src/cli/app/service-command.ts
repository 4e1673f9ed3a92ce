import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { homeOf } from "../../config/settings.ts";
import { findRunningApp, type RunningApp } from "../../process/app/running-app.ts";
import { isInBackground } from "../../process/background/take-home.ts";
import { serviceProgram } from "../../process/service/service-program.ts";
import { awaitStart } from "../../process/service/service-start.ts";
import { serviceStatus } from "../../process/service/service-status.ts";
import { type RunProgram, type ServiceState, type UserService, userService } from "../../process/service/user-service.ts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine } from "../../text/printable.ts";
import type { ServiceVerb } from "../parts/command-parts.ts";
import type { Console } from "../parts/console.ts";
import { stoppingServiceLines } from "../stopping/stopping-lines.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { homeTaken } from "../words/home-taken.ts";

const BOUND_MS = 90_000;
const SHOWN = 500;
const START_MS = 30_000;
const LOOK_MS = 250;

const stateWords: Readonly<Record<ServiceState, string>> = {
	running: "It is running.",
	starting: "The system is starting it.",
	restarting: "It ended with an error. The system is about to start it again.",
	stopping: "It is stopping.",
	stopped: "It isn't running.",
	failed: "It ended with an error, and the system no longer restarts it.",
	unknown: "The system doesn't report whether it is running.",
};

export interface ServiceDeps {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	/** The path of this program. */
	readonly main: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly console: Console;
}

/**
 * `xworkmate service`. Exit code 1 if the service has failed or is being restarted after an error, or if the app of a new service does not
 * respond.
 */
export async function serviceCommand(deps: ServiceDeps, verb: ServiceVerb): Promise<ExitCode> {
	const service = userService({
		platform: process.platform,
		userHome: homedir(),
		userId: userInfo().uid,
		userName: userInfo().username,
		configHome: deps.env.XDG_CONFIG_HOME,
		run: runProgram,
	});
	if (verb === "install") return install(deps, service);
	if (verb === "uninstall") return uninstall(deps, service);
	return show(deps, service, verb === "status as JSON");
}

async function install({ home, main, env, console }: ServiceDeps, service: UserService): Promise<ExitCode> {
	const running = await findRunningApp(home);
	// Only one process can own the home. An app in the background is asked to end, and this service's own app is restarted; any other must be
	// stopped.
	if (running !== undefined && !isInBackground(running) && !(await isOfService(running, service)))
		throw homeTaken(running.process, oneLine(service.path, SHOWN), Date.now());
	await sayStopping(console, service, findRunningApp);
	const { program, left, accounts } = serviceProgram([process.execPath, realpathSync(main), "start", "--service"], env);
	await service.install(program);
	const until = Date.now() + START_MS;
	const started = await awaitStart({
		answers: async () => {
			const app = await findRunningApp(home);
			return app !== undefined && !isInBackground(app);
		},
		state: service.state,
		pause: async () => {
			await setTimeout(LOOK_MS);
			return Date.now() < until;
		},
	});
	const path = oneLine(service.path, SHOWN);
	console.line(started === "answers" ? `The service is installed and started: ${path}` : `The service is installed: ${path}`);
	if (left.length > 0) console.line(`Secret, so not written to the service's file: ${left.join(", ")}.`);
	if (accounts.length > 0)
		console.line(
			`Not passed on to the service: ${accounts.join(", ")}. To use the assistant in the service, add an account: ${commandLine("auth --help")}`,
		);
	if (process.platform === "linux")
		console.line(
			service.startsWithComputer
				? "The service starts with the computer."
				: "The service starts when you log in. To start it with the computer: loginctl enable-linger",
		);
	if (started !== "answers") {
		console.note(notAnswering(started));
		return exitCode.beforeRun;
	}
	console.line(`Open the page: ${commandLine("open")}`);
	return exitCode.success;
}

/**
 * True if the app is the one that this service runs. An app of an earlier version does not report how it runs, so the service's state
 * decides.
 */
async function isOfService({ process: { runsAs } }: RunningApp, service: UserService): Promise<boolean> {
	if (!service.isInstalled) return false;
	return runsAs === undefined ? (await service.state()) === "running" : runsAs === "service";
}

/** What is known about a service whose app isn't responding, and how to see why. */
export function notAnswering(state: ServiceState): string {
	const known = state === "running" || state === "starting" ? "XWorkmate isn't responding yet." : stateWords[state];
	return `${known} ${reasonWords()}`;
}

function reasonWords(): string {
	const reason = process.platform === "linux" ? "journalctl --user --unit xworkmate" : `launchctl print gui/${userInfo().uid}/xworkmate`;
	return `To see why: ${reason}`;
}

/** `xworkmate service status`. In the JSON, `silent` is true if the service has a process but XWorkmate doesn't respond. */
export async function show(
	{ home, console }: Pick<ServiceDeps, "home" | "console">,
	service: UserService,
	asJson: boolean,
): Promise<ExitCode> {
	const { isInstalled, path } = service;
	const status = isInstalled ? await serviceStatus(service, homeOf({ HOME: homedir() }), findRunningApp) : undefined;
	const state = status?.state;
	const silent = status?.isSilent === true && { silent: true };
	if (asJson) console.line(JSON.stringify({ installed: isInstalled, path, ...(state !== undefined && { state }), ...silent }));
	else if (status === undefined) console.line(notInstalledWords(service));
	else {
		// The system briefly reports a crashing app as running each time it restarts it, so an app that doesn't respond counts as failed too.
		const isBad = status.isSilent || status.state === "restarting" || status.state === "failed";
		const { refusal } = service;
		const stateNow = isBad ? notAnswering(status.state) : stateWords[status.state];
		// Without systemd, the service's state means nothing, and a service that was installed earlier can only be removed.
		const words = refusal === undefined ? stateNow : `${refusal.message} ${refusal.fix}`;
		const elsewhere =
			relative(home, status.home) === "" ? "" : `It uses the data folder ${oneLine(status.home, SHOWN)}, not ${oneLine(home, SHOWN)}. `;
		console.line(`The service is installed: ${oneLine(path, SHOWN)}. ${elsewhere}${words}`);
	}
	return state === "failed" || state === "restarting" ? exitCode.beforeRun : exitCode.success;
}

/** The words for a service that isn't installed. They suggest an installation only if it would not be refused. */
export function notInstalledWords({ refusal }: Pick<UserService, "refusal">): string {
	if (refusal === undefined) return `The service isn't installed. Install it: ${commandLine("service install")}`;
	return `The service isn't installed, and can't be installed here. ${refusal.message} ${refusal.fix}`;
}

/** `xworkmate service uninstall`: says which runs end with the service's app, then stops and removes the service. */
export async function uninstall(
	{ console }: Pick<ServiceDeps, "console">,
	service: UserService,
	findApp: (home: string) => Promise<RunningApp | undefined> = findRunningApp,
): Promise<ExitCode> {
	if (service.isInstalled) {
		await sayStopping(console, service, findApp);
		const wasStopped = await service.uninstall();
		console.line(`The service was ${wasStopped ? "stopped and removed" : "removed"}. Your threads and files are kept.`);
	} else console.line("The service isn't installed.");
	return exitCode.success;
}

/** Says which runs end with the service's app; nothing if the app can't be asked, because that is no reason to keep the service. */
async function sayStopping(console: Console, service: UserService, findApp: typeof findRunningApp): Promise<void> {
	// Without the user's systemd, nothing is stopped.
	if (!service.isInstalled || service.refusal !== undefined) return;
	const running = await appOf(service, findApp).catch(() => undefined);
	if (running === undefined) return;
	for (const line of await stoppingServiceLines(running)) console.note(line);
}

/** The app that the service runs. The service may have been installed for a home other than this command's. */
async function appOf(service: UserService, findApp: typeof findRunningApp): Promise<RunningApp | undefined> {
	const running = await findApp((await service.home()) || homeOf({ HOME: homedir() }));
	return running !== undefined && (await isOfService(running, service)) ? running : undefined;
}

const runProgram: RunProgram = (program, args) =>
	new Promise((resolve) => {
		execFile(program, [...args], { timeout: BOUND_MS }, (error, stdout, stderr) => {
			const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
			// A program that could not be started has no output.
			const said = `${stdout}${stderr}`;
			resolve({ code, output: said === "" && error !== null ? error.message : said });
		});
	});
