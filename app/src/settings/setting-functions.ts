import type { SettingFunctions } from "../api/setting-rows.ts";
import type { SettingList } from "../api/setting-view.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import type { AppHost } from "../doctor/app-host.ts";
import { AppError } from "../errors/app-error.ts";
import { browseFolders } from "./browse-folders.ts";
import { changeSetting, refuseElsewhere, storeSecret } from "./change-setting.ts";
import { readSettingList } from "./read-setting-list.ts";

export interface SettingParts {
	readonly home: string;
	readonly client: Pick<BridgeClient, "call">;
	readonly host: AppHost;
	/** Called after a change to config.json, because it may alter the limits that the bridge reports. */
	readonly onChanged: () => void;
}

const elsewhere = new AppError(
	"WORKSPACE_REFUSED",
	"The bridge was started elsewhere, so its folders can't be listed here.",
	"Set its project folders where it was started.",
);

export function settingFunctions({ home, client, host, onChanged }: SettingParts): SettingFunctions {
	const list = async (): Promise<SettingList> => {
		// If the bridge does not answer or is an earlier version, the settings that it would start with are listed.
		const bridge = await client.call("xworkmate.settings.list", {}).catch(() => undefined);
		return await readSettingList(
			{ home, env: host.environment, started: host.startedWith, ownsBridge: host.ownsBridge?.() === true },
			bridge,
		);
	};
	const bridgeUrl = host.startedWith.XWORKMATE_BRIDGE_URL;
	return {
		listSettings: list,
		async changeSetting({ key, value }) {
			refuseElsewhere(bridgeUrl, key);
			await changeSetting(home, key, value);
			const settings = await list();
			onChanged();
			return settings;
		},
		async browseFolders({ path }) {
			if (bridgeUrl !== undefined) throw elsewhere;
			return await browseFolders(path);
		},
		async storeSecret({ key, secret }) {
			refuseElsewhere(bridgeUrl, key);
			await storeSecret(home, key, secret?.trim());
			return await list();
		},
	};
}
