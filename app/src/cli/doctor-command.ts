import { type AuthProfiles, type Capabilities, type Integration, type Operator, omitUndefined } from "@xworkmate/contracts";
import type { GatewayQueueView, HomeLine } from "../api/app-api.ts";
import type { Finding } from "../api/ui-api.ts";
import type { AppSettings } from "../config/settings.ts";
import { examineMachine, isPortFree, roomFindings } from "../doctor/examine-machine.ts";
import { accountFindings, operatorFindings, providerFindings, queueFindings, runningFinding, toolFindings } from "../doctor/finding.ts";
import { toFailure } from "../errors/failure.ts";
import type { RunningApp } from "../process/app/running-app.ts";
import { commandLine } from "../text/command-line.ts";
import { printable } from "../text/printable.ts";
import { howToStop } from "../text/running-words.ts";
import { collectFindings } from "./collect-findings.ts";
import type { Console } from "./words/console.ts";
import { type ExitCode, exitCode } from "./words/exit-code.ts";

export interface DoctorDeps {
	readonly settings: AppSettings;
	readonly console: Console;
	/** The address of the running bridge; undefined when none is running. */
	readonly runningBridge: () => Promise<string | undefined>;
	/** The app that runs in the home; undefined when none is running. */
	readonly runningApp: () => Promise<Pick<RunningApp, "url" | "process"> | undefined>;
	/** Has the app and its bridge verify their files, and passes the lines that they report to `use`. */
	readonly asked: (use: (lines: AsyncIterable<HomeLine>) => Promise<void>) => Promise<void>;
	/** Aborted by Ctrl+C during a verification. */
	readonly stop: AbortSignal;
	/** What the bridge and the app's queue report. Starts a bridge for the check if none is running. */
	readonly ask: () => Promise<{
		readonly capabilities: Capabilities;
		readonly gatewayQueue: GatewayQueueView;
		readonly integrations?: readonly Integration[];
		readonly accounts?: AuthProfiles;
		readonly operators?: readonly Operator[];
	}>;
}

const marks = { ok: "ok     ", note: "note   ", problem: "PROBLEM" } as const;

/** `xworkmate doctor`: checks every provider, port, path and permission and prints fixes. Exit code 1 when there is a problem. */
export async function doctorCommand(
	deps: DoctorDeps,
	{ json, verify }: { readonly json: boolean; readonly verify: boolean },
): Promise<ExitCode> {
	const machine = await examineMachine(deps.settings.home);
	// Read before the bridge is asked, because that may start it, and a damaged database can keep it from starting.
	const stored = verify ? await verifyStored(deps) : await databaseFindings(deps);
	const before = await deps.runningApp();
	const port = await portFindings(deps);
	const bridge = await bridgeFindings(deps);
	// Asking the bridge may have started an app, at this port or another.
	const own = before === undefined ? await ownPortFindings(deps) : [];
	const asked = [await appFinding(deps, before), ...(own.length > 0 ? own : port), ...bridge];
	const findings = [...machine, ...configFindings(deps.settings), ...stored, ...asked, ...(verify ? await verifyAsked(deps) : [])];
	if (json) deps.console.line(JSON.stringify(findings));
	else for (const finding of findings) show(deps.console, finding);
	return findings.some((finding) => finding.state === "problem") ? exitCode.beforeRun : exitCode.success;
}

/** A running app still has the settings that it started with, so the next command is the first that the file stops. */
function configFindings({ problem }: AppSettings): readonly Finding[] {
	if (problem === undefined) return [];
	const { message, fix } = toFailure(problem);
	return [{ about: "config.json", state: "problem", message, ...omitUndefined({ fix }) }];
}

async function databaseFindings({ settings: { home, bridgeUrl }, console }: DoctorDeps): Promise<readonly Finding[]> {
	// Loaded only here, because other commands start faster without SQLite.
	const { examineDatabases } = await import("../doctor/examine-databases.ts");
	return examineDatabases({ home, ownBridge: bridgeUrl === undefined, note: console.note });
}

async function verifyStored({ settings: { home, bridgeUrl, bridgeEnv }, console, stop }: DoctorDeps): Promise<readonly Finding[]> {
	const { verifyDisk } = await import("../doctor/verify-disk.ts");
	return collectFindings(verifyDisk({ home, ownBridge: bridgeUrl === undefined, searchPath: bridgeEnv.PATH, stop }), console, stop);
}

/** If the app cannot be asked, that is a finding too: part of the home was not verified. */
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
	if (fix !== undefined) console.line(`         ${printable(fix)}`);
}

/** How the app ran before it was asked, because that may start it. To be called after that, when it is known whether it did. */
async function appFinding({ settings, runningApp }: DoctorDeps, before: Awaited<ReturnType<DoctorDeps["runningApp"]>>): Promise<Finding> {
	if (before !== undefined) return runningFinding(before.process);
	const about = { about: "app", state: "note" } as const;
	if (!settings.background) return { ...about, message: "Not running.", fix: `Start it: ${commandLine("start")}` };
	if ((await runningApp()) === undefined)
		return { ...about, message: "Not running. It could not be started for this check; see below for the reason." };
	return { ...about, message: "It was not running. This check started it in the background.", fix: howToStop("background") };
}

async function portFindings({ settings, runningApp }: DoctorDeps): Promise<readonly Finding[]> {
	const { host, port } = settings.listen;
	if (port === 0) return [{ about: "port", state: "ok", message: "The app takes any free port." }];
	const about = `port ${port}`;
	if (await isPortFree(host, port)) return [{ about, state: "ok", message: "Free for the app." }];
	const own = await ownPortFindings({ settings, runningApp });
	if (own.length > 0) return own;
	const app = (await runningApp())?.url;
	return [
		{
			about,
			// XWorkmate is running at another address, so this matters only when it is started again.
			state: app === undefined ? "problem" : "note",
			message: "Another program uses this port.",
			fix: "Set XWORKMATE_APP_LISTEN to an address with another port, such as 127.0.0.1:8790.",
		},
	];
}

/** Empty if no app runs at the port of the settings. */
async function ownPortFindings({
	settings: { listen },
	runningApp,
}: Pick<DoctorDeps, "settings" | "runningApp">): Promise<readonly Finding[]> {
	const app = await runningApp();
	const isOwn = app !== undefined && new URL(app.url).port === String(listen.port);
	return isOwn ? [{ about: `port ${listen.port}`, state: "ok", message: "In use by XWorkmate." }] : [];
}

async function bridgeFindings({ runningBridge, ask }: DoctorDeps): Promise<readonly Finding[]> {
	const url = await runningBridge();
	const state: Finding =
		url === undefined
			? {
					about: "bridge",
					state: "note",
					message: "Not running. It was started for this check.",
					fix: `To keep it running until you stop it: ${commandLine("start")}`,
				}
			: { about: "bridge", state: "ok", message: `Running at ${url}.` };
	try {
		const { capabilities, gatewayQueue, integrations = [], accounts, operators = [] } = await ask();
		// Agents and the gateway come last, because a missing one is what most users look for.
		const paid = accounts === undefined ? [] : accountFindings(accounts);
		const others = [...operatorFindings(operators), ...toolFindings(integrations), ...paid, ...providerFindings(capabilities)];
		return [...roomFindings(capabilities), state, ...queueFindings(capabilities, gatewayQueue), ...others];
	} catch (error) {
		const { code, message, fix } = toFailure(error);
		return [{ about: "bridge", state: "problem", message: `${message} (${code})`, ...(fix === undefined ? {} : { fix }) }];
	}
}
