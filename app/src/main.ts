#!/usr/bin/env node
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { readConfigFile } from "@xworkmate/platform/config-file";
import { CommanderError } from "commander";
import type { HomeLine } from "./api/app-api.ts";
import { doctorCommand } from "./cli/app/doctor-command.ts";
import { logCommand } from "./cli/app/log-command.ts";
import { openPageCommand } from "./cli/app/open-page-command.ts";
import { type ShowWindowContext, showWindow } from "./cli/app/show-window.ts";
import type { StartContext } from "./cli/app/start-command.ts";
import { askKey } from "./cli/parts/ask-user.ts";
import type { OpenPageHow, TerminalProgram } from "./cli/parts/command-parts.ts";
import { terminalConsole } from "./cli/parts/console.ts";
import { readSecret } from "./cli/parts/read-secret.ts";
import { SIGNAL_BASE, Signals } from "./cli/parts/signals.ts";
import { watchOutput } from "./cli/parts/unwritten-output.ts";
import { createProgram, type ProgramContext } from "./cli/program.ts";
import { differentSettingsWords, misspelledWords } from "./cli/words/different-settings-words.ts";
import { type ExitCode, exitCode, exitCodeOfError } from "./cli/words/exit-code.ts";
import { terminalFix } from "./cli/words/terminal-fix.ts";
import { ownVersion } from "./config/own-version.ts";
import { type AppSettings, homeOf, readSettings } from "./config/settings.ts";
import { toFailure } from "./errors/failure.ts";
import { findRunningApp } from "./process/app/running-app.ts";
import { withApp } from "./process/app/with-app.ts";
import { withoutSparingMemory } from "./process/background/sparing-memory.ts";
import { findRunningBridge } from "./process/bridge/adopt-bridge.ts";
import { bridgeMain } from "./process/bridge/spawn-bridge.ts";
import { stopProcess } from "./process/bridge/stop-process.ts";
import { openOutside } from "./process/open-outside.ts";
import { commandLine } from "./text/command-line.ts";
import { printable } from "./text/printable.ts";

const console_ = terminalConsole(process.env);
const outputFailure = watchOutput(process.stdout);
/** How long a program in this terminal may take to end before it is killed. */
const PROGRAM_ENDS_MS = 5_000;
const signals = new Signals();
const { onInterrupt, onLeave, stopped } = signals;

const onError = (error: unknown): void => console_.note(`· ${printable(toFailure(error).message)}`);

async function runBridge(settings: AppSettings, args: readonly string[]): Promise<ExitCode> {
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", bridgeMain, ...args], {
		stdio: "inherit",
		env: settings.bridgeEnv,
	});
	onInterrupt(() => child.kill("SIGTERM"));
	const [code] = await once(child, "exit");
	return code === 0 ? exitCode.success : exitCode.beforeRun;
}

async function runInTerminal({ command, args, env }: TerminalProgram): Promise<{ code: number | null }> {
	// Agents must not get XWorkmate's own settings, which include its token.
	const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("XWORKMATE_")));
	const child = spawn(command, [...args], { stdio: "inherit", env: { ...own, ...env } });
	const exited = once(child, "exit");
	// The terminal also sends Ctrl+C to the program, which may handle or ignore the signal and keep running indefinitely.
	const release = onInterrupt(
		(signal) => {
			if (signal === "SIGINT") console_.note("If the program does not end, press Ctrl+C again to kill it.");
			else void stopProcess({ send: (sent) => child.kill(sent), exited: exited.then(() => undefined) }, PROGRAM_ENDS_MS);
		},
		() => child.kill("SIGKILL"),
	);
	try {
		const [code] = await exited;
		return { code: typeof code === "number" ? code : null };
	} finally {
		release();
	}
}

/**
 * Exits if the command was stopped, because a stopped command has no result. The command has said so.
 * @throws the error, if the command was not stopped
 */
function leftEarly(stop: AbortSignal): (error: unknown) => never {
	return (error) => {
		if (!stop.aborted) throw error;
		process.exit(SIGNAL_BASE + constants.signals.SIGINT);
	};
}

function windowContext({ home, bridgeEnv }: AppSettings): ShowWindowContext {
	return { home, env: bridgeEnv, console: console_, openOutside };
}

/** Returns how to open the page. A page in the browser stays open; a window belongs to this process and is closed with it. */
function pageOpener(settings: AppSettings, show: "browser" | "window"): NonNullable<StartContext["openPage"]> {
	if (show === "browser") return (newLink) => openOutside(newLink()).then(() => undefined);
	return async (newLink) => {
		const window = await showWindow(windowContext(settings), newLink);
		void window?.closed.then((inOrder) => {
			if (!inOrder)
				console_.note(`The window closed unexpectedly. XWorkmate is still running. Open it again: ${commandLine("open --window")}`);
		});
		return window;
	};
}

/** The program that this process runs; an app in the background runs the same program. */
const mainProgram = process.argv[1] ?? "";

/** Uses the app of the home, whichever process owns it. */
function usingApp(settings: AppSettings): ProgramContext["withApp"] {
	const given = { settings, onNote: console_.note, onError };
	if (!settings.background) return (use, options) => withApp({ ...given, ...options }, use);
	return async (use, options) => {
		const { withBackgroundApp } = await import("./process/background/with-background-app.ts");
		for (const line of misspelledWords(settings.bridgeEnv)) console_.note(line);
		const onDifferent = (names: readonly string[]) => console_.note(differentSettingsWords(names));
		return await withBackgroundApp({ ...given, ...options, main: mainProgram, onDifferent }, use);
	};
}

/** Opens or prints a new link to the running app; a window stays open until it is closed or the command is stopped. */
function openRunning(settings: AppSettings, how: OpenPageHow, lead?: string): Promise<ExitCode> {
	const showUntilClosed = async (newLink: () => Promise<string>) => {
		const window = await showWindow(windowContext(settings), newLink);
		if (window === undefined) return;
		await Promise.race([window.closed, stopped()]);
		await window[Symbol.asyncDispose]();
	};
	const running = async () => {
		if (!settings.background) return await findRunningApp(settings.home);
		const { HomeOwner } = await import("./process/background/home-owner.ts");
		return await new HomeOwner({ settings, main: mainProgram }).get();
	};
	const build = async () => {
		const { buildPage } = await import("./cli/app/build-page.ts");
		await buildPage({ console: console_, onError, stopped: new Promise(() => undefined) });
	};
	const context = { home: settings.home, running, buildPage: build, console: console_, open: openOutside, showWindow: showUntilClosed };
	return openPageCommand(context, how, lead);
}

function createContext(settings: AppSettings): ProgramContext {
	const using = usingApp(settings);
	const runningBridge = async () => settings.bridgeUrl ?? (await findRunningBridge(settings.home))?.url;
	return {
		version: ownVersion(),
		console: console_,
		config: async (act) => await act({ home: settings.home, env: settings.bridgeEnv, console: console_ }),
		withApp: using,
		onInterrupt,
		onLeave,
		start: async (show, runsAs) => {
			const { startCommand } = await import("./cli/app/start-command.ts");
			return startCommand({
				...{ settings, console: console_, stopped: stopped(), onError, runsAs, main: mainProgram },
				mayHandOver: async () => readSettings(process.env, await readConfigFile(settings.home)).background,
				...(show && { openPage: pageOpener(settings, show) }),
				openRunning: (lead) => openRunning(settings, show ?? "print", lead),
			});
		},
		background: async (how) => {
			const { backgroundCommand } = await import("./cli/app/background-command.ts");
			return backgroundCommand({ settings, console: console_, stopped: stopped() }, how);
		},
		stop: async () => {
			const { stopCommand } = await import("./cli/app/stop-command.ts");
			return stopCommand({ home: settings.home, console: console_ });
		},
		bridge: (args) => runBridge(settings, args),
		doctor: (how) => {
			const ask = () =>
				using(async (api) => {
					// A bridge of an earlier version lacks the methods for tools, accounts and operators; an app, the one for settings.
					const { integrations } = await api.listTools().catch(() => ({ integrations: [] }));
					const { operators } = await api.operators().catch(() => ({ operators: [] }));
					const accounts = await api.accounts().catch(() => undefined);
					const { settings } = await api.listSettings().catch(() => ({ settings: [] }));
					const known = { integrations, operators, settings, ...(accounts !== undefined && { accounts }) };
					return { capabilities: await api.capabilities(), gatewayQueue: await api.gatewayQueue(), ...known };
				});
			const stop = new AbortController();
			const release = how.verify ? onInterrupt(() => stop.abort()) : () => undefined;
			const asked = (use: (lines: AsyncIterable<HomeLine>) => Promise<void>) => using((api) => use(api.verifyHome({ only: "asked" })));
			const runningApp = () => findRunningApp(settings.home);
			const silentOwner = async () => {
				const { findSilentOwner } = await import("./process/app/silent-owner.ts");
				return await findSilentOwner(settings.home);
			};
			const deps = { settings, console: console_, runningBridge, runningApp, silentOwner, ask, asked, stop: stop.signal };
			return doctorCommand(deps, how).catch(leftEarly(stop.signal)).finally(release);
		},
		checkTools: async (folder, json) => {
			const { checkToolsCommand } = await import("./cli/tools/check-tools-command.ts");
			return checkToolsCommand(folder, console_, json);
		},
		backup: async (file, json) => {
			const { backupCommand } = await import("./cli/app/backup-commands.ts");
			return backupCommand({ home: settings.home, version: ownVersion(), console: console_ }, file, json);
		},
		restore: async (file, how) => {
			const { restoreCommand } = await import("./cli/app/backup-commands.ts");
			const { home } = settings;
			const isOtherHome = home !== homeOf({ ...process.env, XWORKMATE_HOME: undefined });
			const stop = new AbortController();
			const release = onInterrupt(() => stop.abort());
			const runningApp = () => findRunningApp(home);
			const deps = { home, version: ownVersion(), console: console_, isOtherHome, runningApp, stop: stop.signal };
			return restoreCommand(deps, file, how).finally(release);
		},
		service: async (verb) => {
			const { serviceCommand } = await import("./cli/app/service-command.ts");
			return serviceCommand({ home: settings.home, main: mainProgram, env: process.env, console: console_ }, verb);
		},
		logs: async (follow) => {
			const abort = new AbortController();
			if (follow) onInterrupt(() => abort.abort());
			process.stdout.once("error", () => abort.abort());
			await logCommand(settings, console_, follow ? abort.signal : undefined);
			return exitCode.success;
		},
		readSecret: (question, lead) => {
			if (lead !== undefined && process.stdin.isTTY) console_.note(lead);
			return readSecret(process.stdin, (text) => process.stderr.write(text), question);
		},
		confirm: async (question) => (await askKey(`${question} [y/n] `, ["y", "n"])) === "y",
		inTerminal: runInTerminal,
		variable: (name) => process.env[name],
		open: openOutside,
		openPage: (how) => openRunning(settings, how),
		done: (code) => {
			process.exitCode = code;
		},
	};
}

async function main(): Promise<void> {
	// The reader of the output may have closed it (`| head`). Exiting because of that would leave a run or the bridge behind.
	process.stderr.on("error", () => undefined);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, signals.handle);
	const file = await readConfigFile(homeOf(process.env));
	await createProgram(createContext(readSettings(withoutSparingMemory(process.env), file))).parseAsync();
}

function report(error: unknown): void {
	process.exitCode = exitCodeOfError(error);
	// Commander has already printed this error.
	if (error instanceof CommanderError) return;
	const { code, message, ...failure } = toFailure(error);
	const fix = terminalFix(code, failure.fix, process.argv[2]);
	console_.note(`xworkmate: ${printable(message)} (${code})`);
	if (fix !== undefined) console_.note(`  ${printable(fix)}`);
	if (code === "INTERNAL" && error instanceof Error) console_.note(printable(error.stack ?? ""));
}

try {
	await main();
} catch (error) {
	report(error);
}
const unwritten = await outputFailure();
if (unwritten !== undefined) {
	console_.note(`xworkmate: The output couldn't be written. (${unwritten})`);
	process.exitCode ||= exitCode.unwritten;
}
// Ends the process even if a child process or a timer is still active.
process.exit();
