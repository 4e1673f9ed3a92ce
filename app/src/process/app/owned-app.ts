import { realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type Endpoint, omitUndefined } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import type { AppApi } from "../../api/app-api.ts";
import type { AppProcess, LeftBridge, ProcessFunctions, RunsAs } from "../../api/process-rows.ts";
import { ownVersion } from "../../config/own-version.ts";
import { settingDigests } from "../../config/setting-digests.ts";
import type { AppSettings } from "../../config/settings.ts";
import type { OpenedApp } from "../../core/open-app.ts";
import { AppError } from "../../errors/app-error.ts";
import { createAppToken } from "../../server/access/app-token.ts";
import type { Requests } from "../../server/requests.ts";
import { openAppStore } from "../../store/open-app-store.ts";
import { howToStop } from "../../text/running-words.ts";
import { forgetOthersBridge } from "../bridge/adopt-bridge.ts";
import { readEndpoint, writeEndpoint } from "../bridge/bridge-files.ts";
import { BridgeSupervisor, type BridgeSupervisorOptions } from "../bridge/bridge-supervisor.ts";
import type { BridgeTrouble } from "../bridge/bridge-trouble.ts";
import { homeProblem } from "./home-problem.ts";
import { HomeWatch, REST_LOOK_EVERY_MS } from "./home-watch.ts";
import { type ListenOn, listenOn } from "./listen-on.ts";
import { appEndpointFile, forgetOthersApp } from "./running-app.ts";
import { windowHost } from "./window-host.ts";
import { windowParts } from "./window-parts.ts";

/** Progress is logged only for more threads than this; fewer are prepared within a second. */
const NOTED_THREADS = 500;
/** In the background, the bridge is checked less often once no client has asked for anything for this long and no turn is in progress. */
const QUIET_AFTER_MS = 5_000;
/** The port in the default of XWORKMATE_BRIDGE_LISTEN. */
const DEFAULT_BRIDGE_PORT = 8787;

export interface OwnedAppOptions {
	readonly settings: AppSettings;
	/** True for a command that only reads or changes the app's own state. */
	readonly withoutBridge?: boolean;
	/** Absolute path of the built page. Undefined for a command, which serves no page. */
	readonly assets?: string;
	readonly listenOn: ListenOn;
	readonly runsAs: RunsAs;
	/** Called when a command asks the app to end. If absent, the app ends only when it is done or on a signal. */
	readonly onEnd?: (bridge: LeftBridge) => void;
	readonly onNote: (words: string) => void;
	readonly onError: (error: unknown) => void;
}

/** This process as the owner of the home: the app, the local API, and a bridge. */
export interface OwnedApp {
	readonly api: AppApi;
	readonly url: string;
	/** A new address, which lets one browser in once; undefined without a page. */
	readonly link: () => string | undefined;
	readonly bridge: Endpoint | undefined;
	/** True if an app of this home started the bridge, which then stops with this app unless it is left running. */
	readonly endsBridge: () => boolean;
	/** Resolves with an error when the home is deleted, moved or unmounted; the app then has to end. */
	readonly gone: Promise<AppError>;
	/** The open calls and streams of clients. */
	readonly requests: Requests;
	/** Resolves when no client of the local API is watching a turn or a plan. */
	idle(): Promise<void>;
	/** Removes the address, which tells clients that the user stopped this app: they don't start another one in its place. */
	withdraw(): Promise<void>;
	/**
	 * `leaveBridge`: active runs continue, and the next app of this home takes over the bridge. `keepAddress`: the address is kept for the next
	 * app. Otherwise it is removed, which tells clients that the user stopped this app.
	 */
	close(options: { readonly leaveBridge: boolean; readonly keepAddress?: boolean }): Promise<void>;
}

/**
 * Takes ownership of the home. Turns that were in progress are resumed before this returns, unless `withoutBridge` is set.
 * @throws AppHomeInUse, AppError (config.json, database, bridge, address, DISK_FULL, HOME_NOT_WRITABLE)
 */
export async function openOwnedApp(options: OwnedAppOptions): Promise<OwnedApp> {
	try {
		return await open(options);
	} catch (error) {
		throw homeProblem(error, options.settings.home);
	}
}

async function open(options: OwnedAppOptions): Promise<OwnedApp> {
	const { settings, onError, assets, runsAs } = options;
	const since = new Date().toISOString();
	if (settings.problem !== undefined) throw settings.problem;
	await using opening = new AsyncDisposableStack();
	let supervisor: BridgeSupervisor | undefined;
	let app: OpenedApp | undefined;
	let trouble: BridgeTrouble | undefined;
	let url = "";
	const stored = opening.use(openAppStore(settings.home));
	await forgetOthersApp(settings.home);
	const watch = opening.use(new HomeWatch(settings.home, options.runsAs === "background" ? REST_LOOK_EVERY_MS : undefined));
	const spawned = Promise.withResolvers<void>();
	const onTrouble = (told: BridgeTrouble | undefined) => {
		trouble = told;
		app?.bridgeTroubled(told);
	};
	let requests: Requests | undefined;
	// In a terminal and as a service, the bridge is never checked less often: other clients, plans and Discord may need it without the app's
	// knowledge.
	const isQuiet = () =>
		options.runsAs === "background" && requests !== undefined && requests.quietMs > QUIET_AFTER_MS && app?.hasActiveTurns() === false;
	const used = new AutoResetEvent();
	const starting = openBridge(options, { onTrouble, rest: { isQuiet, used }, onSpawned: spawned.resolve });
	const started = starting.catch(() => undefined);
	let stopping: Promise<void> | undefined;
	const stopBridge = () => (stopping ??= started.then((bridge) => bridge?.stop()));
	opening.defer(stopBridge);
	// Once the bridge's process has been spawned, it loads its code while this process loads the app's, which takes about as long.
	await Promise.race([spawned.promise, started]);
	const [{ openApp }, { createAppServer }] = await Promise.all([
		import("../../core/open-app.ts"),
		import("../../server/create-app-server.ts"),
	]);
	const host = windowHost({ settings, url: () => url, running: { pid: process.pid, runsAs, since }, bridge: () => supervisor });
	app = opening.use(
		openApp({ home: settings.home, searchPath: settings.bridgeEnv.PATH, ...remoteBridge(settings), host, fault: onError }, stored),
	);
	if (trouble !== undefined) app.bridgeTroubled(trouble);
	// The bridge ends before the app, so that the app still learns how the runs ended.
	opening.defer(stopBridge);
	const token = createAppToken(settings.home);
	const ui = assets === undefined ? undefined : windowParts(app, assets, settingDigests(settings.bridgeEnv, token));
	const home = realpathSync(settings.home);
	const about = () => ({ pid: process.pid, version: ownVersion(), runsAs, since, endsBridge: supervisor?.isOwn === true, home });
	const onUse = () => used.set();
	const server = createAppServer({
		api: app.api,
		token,
		onError,
		onUse,
		process: processFunctions(about, options.onEnd),
		...(ui && { ui }),
	});
	requests = server.requests;
	opening.defer(() => server.app.close());
	supervisor = await starting;
	if (options.withoutBridge !== true) app.resume();
	if (assets !== undefined) await app.prepareList(noteEach(NOTED_THREADS, options.onNote));
	const endpoint = appEndpointFile(settings.home);
	url = await listenOn(server.app, settings, options.listenOn, await readEndpoint(endpoint));
	writeEndpoint(endpoint, { url, pid: process.pid, startedAt: since });
	const opened = opening.move();
	const withdraw = () => rm(endpoint, { force: true });
	return {
		api: app.api,
		url,
		link: () => ui && `${url}/open/${ui.sessions.mintKey()}`,
		bridge: supervisor?.endpoint,
		endsBridge: () => supervisor?.isOwn === true,
		gone: watch.gone,
		requests: server.requests,
		idle: () => server.idle(),
		withdraw,
		close: async ({ leaveBridge, keepAddress = false }) => {
			// While the address file exists, clients and the next app know that this address will be served again.
			if (!keepAddress) await withdraw();
			if (leaveBridge) supervisor?.leave();
			await opened.disposeAsync();
		},
	};
}

/** Logs the progress of updating the list of threads in a large home, after every `threads` threads. */
function noteEach(threads: number, onNote: (words: string) => void): (left: number) => void {
	let noted = Number.POSITIVE_INFINITY;
	return (left) => {
		const many = Math.ceil(left / threads);
		if (many < noted && left > threads) onNote(`Updating the list of threads for this version of XWorkmate: ${left} threads left.`);
		noted = many;
	};
}

function remoteBridge({ bridgeUrl, token }: AppSettings): { bridgeUrl?: string; token?: string } {
	return omitUndefined({ bridgeUrl, token });
}

async function openBridge(
	options: OwnedAppOptions,
	told: Pick<BridgeSupervisorOptions, "onTrouble" | "onSpawned" | "rest">,
): Promise<BridgeSupervisor | undefined> {
	const { settings, withoutBridge, onNote } = options;
	if (settings.bridgeUrl !== undefined) return undefined;
	await forgetOthersBridge(settings.home);
	if (withoutBridge === true) return undefined;
	const listenAnywhere = (await bridgeListensAnywhere(options)) ? { XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" } : {};
	return BridgeSupervisor.open({ home: settings.home, env: { ...settings.bridgeEnv, ...listenAnywhere }, onNote, ...told });
}

/** True if the bridge may use any free port. Only `start` fails if another program uses the default address. */
async function bridgeListensAnywhere({ settings, listenOn: where }: OwnedAppOptions): Promise<boolean> {
	if (where === "any") return !settings.bridgeEnv.XWORKMATE_BRIDGE_LISTEN;
	if (where === "configured" || settings.choosesBridgeAddress) return false;
	const { portRefusal } = await import("../../doctor/examine-machine.ts");
	return (await portRefusal("127.0.0.1", DEFAULT_BRIDGE_PORT)) !== undefined;
}

function processFunctions(about: () => AppProcess, onEnd: OwnedAppOptions["onEnd"]): ProcessFunctions {
	return {
		ping: async () => about(),
		async endApp({ bridge }) {
			if (onEnd === undefined) {
				throw new AppError("NOT_IN_BACKGROUND", "XWorkmate is not running in the background.", howToStop(about()));
			}
			onEnd(bridge);
		},
	};
}
