import { omitUndefined } from "@xworkmate/contracts";
import type { SettingList } from "../../api/setting-view.ts";
import { findRunningApp, type RunningApp } from "../../process/app/running-app.ts";
import { findRunningBridge } from "../../process/bridge/adopt-bridge.ts";
import { isOwnBridge } from "../../process/bridge/bridge-files.ts";
import { readSettingList } from "../../settings/read-setting-list.ts";

/** What a command learned about the bridge whose settings it lists. */
export type KnownBridge =
	/** The bridge reported which settings it uses. */
	| { readonly kind: "asked" }
	/** The app is running, but its bridge did not report its settings. */
	| { readonly kind: "silent" }
	/** The bridge is running in this home without the app, so its settings can't be queried. */
	| { readonly kind: "alone"; readonly url: string }
	| { readonly kind: "none" };

export interface FoundSettings {
	/** Absent if the app isn't running. */
	readonly app?: RunningApp;
	/** For the bridge, these are the settings that it reported, or else those that a bridge started here would have. */
	readonly list: SettingList;
	readonly bridge: KnownBridge;
	/** False for a bridge that no app started, which has to be restarted where it was started. */
	readonly isOwn: boolean;
	/** The address of a bridge that was started elsewhere, if one is in effect. That bridge has its own settings. */
	readonly elsewhere?: string;
}

interface Place {
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** The settings of the running XWorkmate; if none is running, those that one started here would have. */
export async function findSettings({ home, env }: Place): Promise<FoundSettings> {
	const running = await findRunningApp(home);
	// An app of an earlier version cannot list its settings.
	const known = await running?.api.listSettings().catch(() => undefined);
	const here = await readSettingList({ home, env });
	const list = known === undefined ? here : withOwnHome(known, here);
	const url = list.settings.find(({ key }) => key === "bridgeUrl")?.value;
	const elsewhere = omitUndefined({ elsewhere: typeof url === "string" ? url : undefined });
	if (running !== undefined) {
		const bridge = { kind: list.inEffect ? "asked" : "silent" } as const;
		// An app of an earlier version does not report whether it started its bridge, so it is assumed to have started it.
		return { app: running, list, bridge, isOwn: running.process.endsBridge !== false, ...elsewhere };
	}
	const endpoint = url === undefined ? await findRunningBridge(home) : undefined;
	if (endpoint === undefined) return { list, bridge: { kind: "none" }, isOwn: url === undefined, ...elsewhere };
	return { list, bridge: { kind: "alone", url: endpoint.url }, isOwn: await isOwnBridge(home, endpoint) };
}

/** The settings of the running app, as a command sees them: which home is used depends on the command's environment, not on the app's. */
export function withOwnHome(known: SettingList, here: SettingList): SettingList {
	const own = here.settings.find(({ key }) => key === HOME_KEY);
	return { ...known, settings: known.settings.map((row) => (row.key === HOME_KEY && own !== undefined ? own : row)) };
}

const HOME_KEY = "home";
