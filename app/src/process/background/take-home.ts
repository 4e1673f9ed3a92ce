import { setTimeout as delay } from "node:timers/promises";
import type { LeftBridge } from "../../api/process-rows.ts";
import type { AppSettings } from "../../config/settings.ts";
import { portRefusal } from "../../doctor/examine-machine.ts";
import { AppHomeInUse } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import { listenProblem } from "../app/listen-on.ts";
import { type OwnedApp, openOwnedApp } from "../app/owned-app.ts";
import { findRunningApp, type RunningApp } from "../app/running-app.ts";
import { findRunningBridge } from "../bridge/adopt-bridge.ts";
import { builtPage } from "../page-build.ts";
import { spawnBackground } from "./spawn-background.ts";

/** How long another process may hold the home without answering, because it is starting or ending. */
const HELD_MS = 10_000;
const LOOK_EVERY_MS = 20;
/**
 * How long to wait for open requests to be answered. The limit is short, because the system soon kills a program whose terminal was closed.
 */
const ANSWERED_MS = 1_000;

export interface TakeHomeOptions {
	readonly settings: AppSettings;
	readonly runsAs: "terminal" | "detached" | "service";
	/** The program of this command. */
	readonly main: string;
	readonly console: { note(words: string): void };
	readonly onError: (error: unknown) => void;
}

export function isInBackground({ process }: RunningApp): boolean {
	return process.runsAs === "background";
}

/**
 * Makes this process the app of the home. An app in the background is asked to end. Its bridge continues the active runs, unless that app is
 * of another version. Returns undefined if the app that answers is not in the background.
 * @throws AppHomeInUse if one holds the home and does not answer; as openOwnedApp
 */
export async function takeHome({ settings, runsAs, console, onError }: TakeHomeOptions): Promise<OwnedApp | undefined> {
	const options = { settings, listenOn: "configured", runsAs, onNote: console.note, onError, assets: builtPage } as const;
	let asked: Asked | undefined;
	for (const until = Date.now() + HELD_MS; ; await delay(LOOK_EVERY_MS)) {
		const running = await findRunningApp(settings.home);
		if (running !== undefined && !isInBackground(running)) return undefined;
		if (running !== undefined) asked = await askForRoom(running, settings);
		try {
			const app = await openOwnedApp(options);
			if (asked !== undefined && asked.different.length > 0 && app.bridge?.pid === asked.bridgePid) {
				const names = asked.different.join(", ");
				console.note(printable(`The bridge continues its runs without this terminal's settings: ${names}.`));
				console.note(`To apply the settings, restart the bridge once the runs have ended: ${commandLine("config apply")}`);
			}
			return app;
		} catch (error) {
			if (!(error instanceof AppHomeInUse) || Date.now() > until) throw error;
		}
	}
}

interface Asked {
	readonly different: readonly string[];
	readonly bridgePid: number | undefined;
}

async function askForRoom(running: RunningApp, settings: AppSettings): Promise<Asked> {
	const { host, port } = settings.listen;
	// Checked before the running app is asked to end: if this process can't listen at the address, it must not take over the home.
	const refusal = port === 0 || port === Number(new URL(running.url).port) ? undefined : await portRefusal(host, port);
	if (refusal !== undefined) throw listenProblem(settings.listen, refusal);
	const different = await running.differentSettings(settings.bridgeEnv).catch(() => []);
	const bridgePid = (await findRunningBridge(settings.home))?.pid;
	// If the settings differ, the bridge is restarted with those of this terminal, unless a run is active. An app of another version ends its
	// own bridge in any case.
	const left: LeftBridge = running.isOtherVersion ? "end" : different.length > 0 ? "leave_for_runs" : "leave";
	await running.end(left);
	return { different, bridgePid };
}

/** Closes the app and leaves the home, the address and the bridge with its runs to an app in the background. */
export async function handOver(app: OwnedApp, { settings, main }: Pick<TakeHomeOptions, "settings" | "main">): Promise<void> {
	// Requests are refused from here on, so that the next app does not mistake this app for one that keeps running.
	app.requests.areRefused = true;
	const next = spawnBackground({ home: settings.home, main, env: settings.bridgeEnv });
	// The error is ignored, because this process is ending. The next command tries again and reports why it fails.
	next.catch(() => undefined);
	await app.requests.answered(ANSWERED_MS);
	await app.close({ leaveBridge: true, keepAddress: true });
	await next.catch(() => undefined);
}
