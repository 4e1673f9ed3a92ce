import { type AuthProfiles, type Capabilities, type Integration, type Operator, omitUndefined } from "@xworkmate/contracts";
import type { GatewayQueueView, HomeLine } from "../../api/app-api.ts";
import type { SettingRow } from "../../api/setting-view.ts";
import type { Finding } from "../../api/ui-api.ts";
import type { AppSettings } from "../../config/settings.ts";
import { examineMachine, portRefusal, roomFindings } from "../../doctor/examine-machine.ts";
import { accountFindings, operatorFindings, providerFindings, queueFindings, runningFinding, toolFindings } from "../../doctor/finding.ts";
import { settingFindings } from "../../doctor/setting-findings.ts";
import { toFailure } from "../../errors/failure.ts";
import { listenProblem } from "../../process/app/listen-on.ts";
import type { RunningApp } from "../../process/app/running-app.ts";
import { verifyWords } from "../../strings/settings/verify-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import { howToEndSilent, howToStop, type SilentProcess, silentWords } from "../../text/running-words.ts";
import type { Console } from "../parts/console.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { terminalFix } from "../words/terminal-fix.ts";
import { collectFindings } from "./collect-findings.ts";

export interface DoctorDeps {
	readonly settings: AppSettings;
	readonly console: Console;
	/**
	 * The address of the remote bridge that the settings name or, if they name none, of the bridge that is running in this home. Undefined if
	 * there is neither.
	 */
	readonly runningBridge: () => Promise<string | undefined>;
	/** The app that runs in the home; undefined when none is running. */
	readonly runningApp: () => Promise<Pick<RunningApp, "url" | "process"> | undefined>;
	/** The process that owns the home but does not respond; undefined when there is none. */
	readonly silentOwner: () => Promise<SilentProcess | undefined>;
	/** Has the app and its bridge verify their files, and passes the lines that they report to `use`. */
	readonly asked: (use: (lines: AsyncIterable<HomeLine>) => Promise<void>) => Promise<void>;
	/** Aborted by SIGINT, SIGTERM or SIGHUP during a verification. */
	readonly stop: AbortSignal;
	/** What the bridge and the app's queue report. Starts a bridge for the check if none is running. */
	readonly ask: () => Promise<{
		readonly capabilities: Capabilities;
		readonly gatewayQueue: GatewayQueueView;
		readonly integrations?: readonly Integration[];
		readonly accounts?: AuthProfiles;
		readonly operators?: readonly Operator[];
		/** The settings in effect. */
		readonly settings?: readonly SettingRow[];
	}>;
}

const marks = { ok: "ok     ", note: "note   ", problem: "PROBLEM" } as const;

/**
 * `xworkmate doctor`: checks this computer, the home, the app, the bridge and what it reports, and prints fixes. Exit code 1 if there is a
 * problem.
 */
export async function doctorCommand(deps: DoctorDeps, how: { readonly json: boolean; readonly verify: boolean }): Promise<ExitCode> {
	let mayHaveStarted = false;
	try {
		return await examine(deps, how, (before) => {
			mayHaveStarted = before === undefined;
		});
	} catch (error) {
		if (deps.stop.aborted) for (const line of await stoppedLines(deps, mayHaveStarted)) deps.console.note(line);
		throw error;
	}
}

/** What to print if the user stops a verification, whose findings are lost. An app that it started continues to run. */
async function stoppedLines({ settings, runningApp }: DoctorDeps, mayHaveStarted: boolean): Promise<readonly string[]> {
	const lead = verifyWords.stopped;
	const after = mayHaveStarted ? await runningApp() : undefined;
	if (after === undefined || !isFromCheck(settings, after)) return [`${lead} No stored data was changed.`];
	return [`${lead} This check started XWorkmate in the background.`, `  ${howToStop(after.process)}`];
}

/** `onApp` gets the app that was running before the bridge was queried, which may start one. */
async function examine(
	deps: DoctorDeps,
	{ json, verify }: { readonly json: boolean; readonly verify: boolean },
	onApp: (before: Awaited<ReturnType<DoctorDeps["runningApp"]>>) => void,
): Promise<ExitCode> {
	const machine = await examineMachine(deps.settings.home);
	// Read before the bridge is queried, because the query may start the bridge, and a damaged database can keep it from starting.
	const stored = verify ? await verifyStored(deps) : await databaseFindings(deps);
	const before = await deps.runningApp();
	onApp(before);
	const port = await portFindings(deps);
	const bridge = await bridgeFindings(deps, before !== undefined);
	// Querying the bridge may have started an app, at this port or another.
	const own = before === undefined ? await ownPortFindings(deps) : [];
	const app = [await appFinding(deps, before), ...(await pageFindings(deps))];
	const asked = [...app, ...(own.length > 0 ? own : port), ...bridge];
	const findings = [...machine, ...configFindings(deps.settings), ...stored, ...asked, ...(verify ? await verifyAsked(deps) : [])];
	if (json) deps.console.line(JSON.stringify(findings));
	else for (const finding of findings) show(deps.console, finding);
	return findings.some((finding) => finding.state === "problem") ? exitCode.beforeRun : exitCode.success;
}

/**
 * Reports a config.json that can't be used. A running app keeps the settings that it started with and continues to serve commands, but no
 * app starts until the file is corrected.
 */
function configFindings({ problem }: AppSettings): readonly Finding[] {
	if (problem === undefined) return [];
	const { message, fix } = toFailure(problem);
	return [{ about: "config.json", state: "problem", message, ...omitUndefined({ fix }) }];
}

async function databaseFindings({ settings: { home, bridgeUrl }, console }: DoctorDeps): Promise<readonly Finding[]> {
	// Loaded only here, because other commands start faster without SQLite.
	const { examineDatabases } = await import("../../doctor/examine-databases.ts");
	return examineDatabases({ home, ownBridge: bridgeUrl === undefined, note: console.note });
}

async function verifyStored({ settings: { home, bridgeUrl, bridgeEnv }, console, stop }: DoctorDeps): Promise<readonly Finding[]> {
	const { verifyDisk } = await import("../../doctor/verify-disk.ts");
	return collectFindings(verifyDisk({ home, ownBridge: bridgeUrl === undefined, searchPath: bridgeEnv.PATH, stop }), console, stop);
}

/**
 * What the app and its bridge find when they verify their files. If the app does not respond, that is a finding too, because part of the
 * home was not verified.
 */
async function verifyAsked({ asked, console, stop }: DoctorDeps): Promise<readonly Finding[]> {
	let found: readonly Finding[] = [];
	try {
		await asked(async (lines) => {
			found = await collectFindings(lines, console, stop);
		});
		return found;
	} catch (error) {
		stop.throwIfAborted();
		const { code, message, fix } = toFailure(error);
		const words = `The threads' files and the receipts were not verified: ${message} (${code})`;
		return [...found, { about: "thread files", state: "problem", message: words, ...omitUndefined({ fix }) }];
	}
}

function show(console: Console, { about, state, message, fix }: Finding): void {
	console.line(`${marks[state]}  ${printable(about)}: ${printable(message)}`);
	if (fix !== undefined) console.line(`         ${printable(terminalFix(undefined, fix))}`);
}

/**
 * The finding about the app: whether it was running before this check, which may have started it. Call this after the bridge was queried:
 * until then, the app may not have been started.
 */
async function appFinding(
	{ settings, runningApp, silentOwner }: DoctorDeps,
	before: Awaited<ReturnType<DoctorDeps["runningApp"]>>,
): Promise<Finding> {
	if (before !== undefined) return runningFinding(before.process);
	const after = await runningApp();
	if (after !== undefined && !isFromCheck(settings, after)) return runningFinding(after.process);
	const silent = after === undefined ? await silentOwner() : undefined;
	if (silent !== undefined) return { about: "app", state: "problem", message: silentWords(silent), fix: howToEndSilent(silent) };
	const about = { about: "app", state: "note" } as const;
	if (!settings.background) return { ...about, message: "Not running.", fix: `Start it: ${commandLine("start")}` };
	if (after === undefined) return { ...about, message: "Not running. It could not be started for this check; see below for the reason." };
	return { ...about, message: "It was not running. This check started it in the background.", fix: howToStop(after.process) };
}

/** This check starts an app only in the background, so an app that runs in any other way was already starting. */
function isFromCheck({ background }: Pick<AppSettings, "background">, { process }: Pick<RunningApp, "process">): boolean {
	return background && process.runsAs === "background";
}

/** Where the page is, which may not be at the port in the settings. The address contains no key, so opening it does not sign a browser in. */
async function pageFindings({ runningApp }: DoctorDeps): Promise<readonly Finding[]> {
	const page = pageAddress(await runningApp());
	return page === undefined ? [] : [{ about: "page", state: "ok", message: `At ${page}.`, fix: `Open it: ${commandLine("open")}` }];
}

/** Undefined if no app is running, or if the app is a command, which serves no page. */
function pageAddress(app: Awaited<ReturnType<DoctorDeps["runningApp"]>>): string | undefined {
	return app === undefined || app.process.runsAs === "command" ? undefined : new URL(app.url).origin;
}

async function portFindings({ settings, runningApp }: DoctorDeps): Promise<readonly Finding[]> {
	const { host, port } = settings.listen;
	if (port === 0) return [{ about: "port", state: "ok", message: "The app uses any free port." }];
	const about = `port ${port}`;
	const refusal = await portRefusal(host, port);
	const page = pageAddress(await runningApp());
	// A running app does not change its port, so it can't use one that has become free in the meantime.
	if (refusal === undefined && page !== undefined && new URL(page).port !== String(port))
		return [
			{
				about,
				state: "note",
				message: `Free, but the app is running at ${page}. It will use this port after a restart with these settings.`,
			},
		];
	if (refusal === undefined) return [{ about, state: "ok", message: "Free for the app." }];
	const own = refusal === "EADDRINUSE" ? await ownPortFindings({ settings, runningApp }) : [];
	if (own.length > 0) return own;
	const app = (await runningApp())?.url;
	const { message, fix } = listenProblem(settings.listen, refusal);
	// If XWorkmate is running at another address, the refusal matters only at the next start, so it is only a note.
	return [{ about, state: app === undefined ? "problem" : "note", message, fix }];
}

/** The finding that XWorkmate itself uses the port in the settings; empty if no app is running there. */
async function ownPortFindings({
	settings: { listen },
	runningApp,
}: Pick<DoctorDeps, "settings" | "runningApp">): Promise<readonly Finding[]> {
	const app = await runningApp();
	const isOwn = app !== undefined && new URL(app.url).port === String(listen.port);
	return isOwn ? [{ about: `port ${listen.port}`, state: "ok", message: "In use by XWorkmate." }] : [];
}

/** `ofApp`: true if an app, which restarts its bridge whenever the bridge ends, was running before the check. */
async function bridgeFindings({ settings, runningBridge, ask }: DoctorDeps, ofApp: boolean): Promise<readonly Finding[]> {
	const url = await runningBridge();
	try {
		const { capabilities, gatewayQueue, integrations = [], accounts, operators = [], settings: used = [] } = await ask();
		const state = bridgeFinding(url, ofApp, settings.background);
		// Agents and the gateway are printed last, where the user looks first, because a missing agent or gateway is what most users look for.
		const paid = accounts === undefined ? [] : accountFindings(accounts);
		const others = [...operatorFindings(operators), ...toolFindings(integrations), ...paid, ...providerFindings(capabilities)];
		const isHere = used.every(({ key, value }) => key !== "bridgeUrl" || value === undefined);
		const named = await settingFindings(used, capabilities.providers, isHere);
		return [...roomFindings(capabilities), state, ...named, ...queueFindings(capabilities, gatewayQueue), ...others];
	} catch (error) {
		const { code, message, fix } = toFailure(error);
		return [{ about: "bridge", state: "problem", message: `${message} (${code})`, ...(fix === undefined ? {} : { fix }) }];
	}
}

/**
 * The finding about a bridge that is responding now. `url`: its address, if it was known before the check. `stays`: true if an app in the
 * background keeps the bridge running after this check.
 */
function bridgeFinding(url: string | undefined, ofApp: boolean, stays: boolean): Finding {
	if (url !== undefined) return { about: "bridge", state: "ok", message: `Running at ${url}.` };
	if (ofApp) return { about: "bridge", state: "note", message: "It wasn't responding when this check began, but it is now." };
	const fix = `To keep it running until you stop it: ${commandLine("start")}`;
	const message = `It was not running, so it was started for this check${stays ? ", and keeps running with the app in the background" : ""}.`;
	return { about: "bridge", state: "note", message, fix };
}
