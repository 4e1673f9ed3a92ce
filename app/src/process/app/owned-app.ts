import { rm } from "node:fs/promises";
import { type Endpoint, omitUndefined } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { settingDigests } from "../../config/setting-digests.ts";
import type { AppSettings } from "../../config/settings.ts";
import type { OpenedApp } from "../../core/open-app.ts";
import { AppError } from "../../errors/app-error.ts";
import { createAppToken } from "../../server/access/app-token.ts";
import type { createAppServer } from "../../server/create-app-server.ts";
import { openAppStore } from "../../store/open-app-store.ts";
import { writeEndpoint } from "../bridge/bridge-files.ts";
import { BridgeSupervisor, type BridgeSupervisorOptions } from "../bridge/bridge-supervisor.ts";
import type { BridgeTrouble } from "../bridge/bridge-trouble.ts";
import { homeProblem } from "./home-problem.ts";
import { HomeWatch } from "./home-watch.ts";
import { appEndpointFile } from "./running-app.ts";
import { windowHost } from "./window-host.ts";
import { windowParts } from "./window-parts.ts";

/** A smaller number is prepared within a second. */
const NOTED_THREADS = 500;

export interface OwnedAppOptions {
	readonly settings: AppSettings;
	/** True for a command that only reads or changes the app's own state. */
	readonly withoutBridge?: boolean;
	/** Absolute path of the built page. Undefined for a command, which serves no page. */
	readonly assets?: string;
	/** Listens on any free port instead of the configured one. True for a command; a page needs the configured port. */
	readonly anyPort: boolean;
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
	/** True if this app started the bridge, which then stops with the app unless it is left running. */
	readonly endsBridge: () => boolean;
	/** Resolves with a message when the home is deleted, moved or unmounted; the app then has to end. */
	readonly gone: Promise<AppError>;
	/** Resolves when no client of the local API is watching a turn. */
	idle(): Promise<void>;
	/** `leaveBridge`: active runs continue, and the next app of this home takes over the bridge. */
	close(options: { readonly leaveBridge: boolean }): Promise<void>;
}

/**
 * Takes ownership of the home. Turns that were in progress are resumed before this returns.
 * @throws AppHomeInUse, AppError (database, bridge, DISK_FULL, HOME_NOT_WRITABLE)
 */
export async function openOwnedApp(options: OwnedAppOptions): Promise<OwnedApp> {
	try {
		return await open(options);
	} catch (error) {
		throw homeProblem(error, options.settings.home);
	}
}

async function open(options: OwnedAppOptions): Promise<OwnedApp> {
	const { settings, onError, assets } = options;
	if (settings.problem !== undefined) throw settings.problem;
	await using opening = new AsyncDisposableStack();
	let supervisor: BridgeSupervisor | undefined;
	let app: OpenedApp | undefined;
	let trouble: BridgeTrouble | undefined;
	let url = "";
	const stored = opening.use(openAppStore(settings.home));
	const watch = opening.use(new HomeWatch(settings.home));
	const spawned = Promise.withResolvers<void>();
	const onTrouble = (told: BridgeTrouble | undefined) => {
		trouble = told;
		app?.bridgeTroubled(told);
	};
	const starting = openBridge(options, { onTrouble, onSpawned: spawned.resolve });
	const started = starting.catch(() => undefined);
	let stopping: Promise<void> | undefined;
	const stopBridge = () => (stopping ??= started.then((bridge) => bridge?.stop()));
	opening.defer(stopBridge);
	// Once the bridge's process has been spawned, it loads its code while this process loads the app's, which takes as long.
	await Promise.race([spawned.promise, started]);
	const [{ openApp }, { createAppServer }] = await Promise.all([
		import("../../core/open-app.ts"),
		import("../../server/create-app-server.ts"),
	]);
	const host = windowHost({ settings, url: () => url, bridge: () => supervisor });
	app = opening.use(openApp({ home: settings.home, ...remoteBridge(settings), host, fault: onError }, stored));
	if (trouble !== undefined) app.bridgeTroubled(trouble);
	// It ends before the app does, which is told how the runs ended.
	opening.defer(stopBridge);
	const token = createAppToken(settings.home);
	const ui = assets === undefined ? undefined : windowParts(app, assets, settingDigests(settings.bridgeEnv, token));
	const server = createAppServer({ api: app.api, token, onError, ...(ui && { ui }) });
	opening.defer(() => server.app.close());
	supervisor = await starting;
	if (options.withoutBridge !== true) app.resume();
	if (assets !== undefined) await app.prepareList(noteEach(NOTED_THREADS, options.onNote));
	url = await listen(server.app, options);
	const endpoint = appEndpointFile(settings.home);
	writeEndpoint(endpoint, { url, pid: process.pid, startedAt: new Date().toISOString() });
	const opened = opening.move();
	return {
		api: app.api,
		url,
		link: () => ui && `${url}/open/${ui.sessions.mintKey()}`,
		bridge: supervisor?.endpoint,
		endsBridge: () => supervisor?.isOwn === true,
		gone: watch.gone,
		idle: () => server.idle(),
		close: async ({ leaveBridge }) => {
			await rm(endpoint, { force: true });
			if (leaveBridge) supervisor?.leave();
			await opened.disposeAsync();
		},
	};
}

/** Logs the progress in a large home after every `threads` threads. */
function noteEach(threads: number, onNote: (words: string) => void): (left: number) => void {
	let noted = Number.POSITIVE_INFINITY;
	return (left) => {
		const many = Math.ceil(left / threads);
		if (many < noted && left > threads) onNote(`Updating the list of threads, once after the update: ${left} threads left.`);
		noted = many;
	};
}

function remoteBridge({ bridgeUrl, token }: AppSettings): { bridgeUrl?: string; token?: string } {
	return omitUndefined({ bridgeUrl, token });
}

async function openBridge(
	{ settings, withoutBridge, anyPort, onNote }: OwnedAppOptions,
	told: Pick<BridgeSupervisorOptions, "onTrouble" | "onSpawned">,
): Promise<BridgeSupervisor | undefined> {
	if (withoutBridge === true || settings.bridgeUrl !== undefined) return undefined;
	const listenAnywhere = anyPort && !settings.bridgeEnv.XWORKMATE_BRIDGE_LISTEN ? { XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" } : {};
	return BridgeSupervisor.open({ home: settings.home, env: { ...settings.bridgeEnv, ...listenAnywhere }, onNote, ...told });
}

async function listen(app: ReturnType<typeof createAppServer>["app"], { settings, anyPort }: OwnedAppOptions): Promise<string> {
	const { host, port } = settings.listen;
	try {
		return await app.listen({ host, port: anyPort ? 0 : port });
	} catch (cause) {
		throw new AppError(
			"PORT_IN_USE",
			`The app can't listen on ${host}:${port} because another program uses it.`,
			"Set XWORKMATE_APP_LISTEN to a free address, or to 127.0.0.1:0 to use any free port.",
			cause,
		);
	}
}
