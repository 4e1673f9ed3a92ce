import { setTimeout as delay } from "node:timers/promises";
import type { LeftBridge } from "../../api/process-rows.ts";
import type { AppSettings } from "../../config/settings.ts";
import { AppHomeInUse } from "../../errors/app-error.ts";
import { type OwnedApp, openOwnedApp } from "../app/owned-app.ts";
import { findRunningApp } from "../app/running-app.ts";
import { builtPage } from "../page-build.ts";
import { hasActiveRun, hasWork } from "./has-work.ts";
import type { StartReport } from "./spawn-background.ts";
import { untilIdle } from "./until-idle.ts";

/** How long another process may hold the home without answering, because it is starting or ending. */
const HELD_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** How long an app that is about to end waits for calls in progress. */
const ANSWERED_MS = 5_000;

export interface RunBackgroundOptions {
	readonly settings: AppSettings;
	/** How long the app keeps running when nothing uses it, in milliseconds. */
	readonly idleMs: number;
	/** Settles with the first signal that asks this process to end. */
	readonly stopped: Promise<unknown>;
	/** Called once, as soon as this app, or another app that uses the home, responds. */
	readonly onReady: (report: StartReport) => void;
	readonly onNote: (words: string) => void;
	readonly onError: (error: unknown) => void;
}

/**
 * The app of a home without a terminal: serves the page and commands until it is asked to end or nothing has used it for a while.
 * @throws as openOwnedApp; AppError HOME_GONE
 */
export async function runBackground(options: RunBackgroundOptions): Promise<void> {
	const { stopped, onReady, onNote } = options;
	const asked = Promise.withResolvers<LeftBridge>();
	const app = await openWhenFree(options, asked.resolve);
	if (app === undefined) return onReady({ state: "in_use" });
	onReady({ state: "ready" });
	onNote(`XWorkmate is running in the background: process ${process.pid}, ${app.url}`);
	const over = new AbortController();
	const ended = stopped.then((): LeftBridge => "end");
	let left: LeftBridge | undefined;
	let isIdle = false;
	try {
		while (left === undefined) {
			const idle = untilIdle({
				...options,
				requests: app.requests,
				hasWork: () => hasWork(app.api, app.endsBridge()),
				signal: over.signal,
			});
			const why = await Promise.race([asked.promise, ended, idle.then(() => "idle" as const), app.gone]);
			if (why instanceof Error) throw why;
			isIdle = why === "idle";
			left = why === "idle" ? await endIfStillIdle(app) : why;
		}
		// The address is withdrawn before any call is refused, so that a refused client knows not to start another app in place of this one.
		if (left === "end" && !isIdle) await app.withdraw();
		app.requests.areRefused = true;
		await app.requests.answered(ANSWERED_MS);
		onNote(`XWorkmate is stopping${stoppingWith(left, app.endsBridge())}.`);
	} finally {
		over.abort();
		const leaveBridge = left === "leave" || (left === "leave_for_runs" && (await hasActiveRun(app.api)));
		// The address is kept if the app is taken over or ended because it was idle, because another app starts as soon as a client needs it.
		await app.close({ leaveBridge, keepAddress: isIdle || (left !== undefined && left !== "end") });
	}
}

function stoppingWith(left: LeftBridge, endsBridge: boolean): string {
	if (left !== "end") return ", and another app is taking over";
	return endsBridge ? ", and so is its bridge" : "";
}

/** Refuses new calls, which the next app answers. If an earlier call has given this app work, accepts calls again and returns undefined. */
async function endIfStillIdle(app: OwnedApp): Promise<LeftBridge | undefined> {
	app.requests.areRefused = true;
	await app.requests.answered(ANSWERED_MS);
	if (!(await hasWork(app.api, app.endsBridge()))) return "end";
	app.requests.areRefused = false;
	return undefined;
}

/** Undefined if another app of this home answers. @throws AppHomeInUse if one holds the home and does not answer */
async function openWhenFree(
	{ settings, onNote, onError }: RunBackgroundOptions,
	onEnd: (bridge: LeftBridge) => void,
): Promise<OwnedApp | undefined> {
	const options = { settings, onNote, onError, onEnd, listenOn: "configured or any", runsAs: "background", assets: builtPage } as const;
	for (const until = Date.now() + HELD_MS; ; await delay(LOOK_EVERY_MS)) {
		try {
			return await openOwnedApp(options);
		} catch (error) {
			if (!(error instanceof AppHomeInUse) || Date.now() > until) throw error;
			if ((await findRunningApp(settings.home)) !== undefined) return undefined;
		}
	}
}
