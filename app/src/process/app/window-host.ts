import { join } from "node:path";
import { omitUndefined } from "@xworkmate/contracts";
import { addressText } from "@xworkmate/platform/listen-address";
import { ownVersion } from "../../config/own-version.ts";
import type { AppSettings } from "../../config/settings.ts";
import type { AppHost } from "../../doctor/app-host.ts";
import type { RunningProcess } from "../../text/running-words.ts";
import { bridgeLogFile } from "../bridge/bridge-files.ts";
import type { BridgeSupervisor } from "../bridge/bridge-supervisor.ts";
import { openOutside } from "../open-outside.ts";

/** Variables of the bridge whose values must not appear in any log. */
const secretVariables = [
	"XWORKMATE_OPENCLAW_TOKEN",
	"XWORKMATE_DISCORD_TOKEN",
	"ANTHROPIC_OAUTH_TOKEN",
	"ANTHROPIC_API_KEY",
	"OPENAI_API_KEY",
] as const;

export interface WindowHostParts {
	readonly settings: AppSettings;
	/** Available once the app is listening. */
	readonly url: () => string;
	/** This process: its id, how it was started, and since when it has been running. */
	readonly running: RunningProcess;
	/** Available once the bridge is running. */
	readonly bridge: () => BridgeSupervisor | undefined;
}

/** This process as windows use it: its settings, its bridge, and this machine's file browser. */
export function windowHost({ settings, url, running, bridge }: WindowHostParts): AppHost {
	const { home, listen, bridgeUrl, bridgeEnv, token } = settings;
	const remoteBridge = bridgeUrl !== undefined;
	return {
		running,
		settings: () => {
			const at = bridgeUrl ?? bridge()?.endpoint.url;
			return {
				...{ home, threadsFolder: join(home, "threads"), logFile: bridgeLogFile(home), appUrl: url(), remoteBridge },
				...omitUndefined({ bridgeUrl: at }),
				version: ownVersion(),
				set: Object.keys(bridgeEnv)
					.filter((name) => name.startsWith("XWORKMATE_") && bridgeEnv[name] !== "")
					.sort(),
			};
		},
		...(!remoteBridge && {
			restartBridge: async () => await bridge()?.restart(),
			ownsBridge: () => bridge()?.isOwn === true,
			startedByUser: () => bridge()?.startedByUser === true,
		}),
		openPath: (path) => openOutside(path),
		environment: bridgeEnv,
		startedWith: {
			XWORKMATE_APP_LISTEN: addressText(listen),
			XWORKMATE_BRIDGE_URL: bridgeUrl,
			XWORKMATE_BACKGROUND_IDLE_MS: String(settings.backgroundIdleMs),
		},
		secrets: [token, ...secretVariables.map((name) => bridgeEnv[name])].flatMap((secret) => (secret ? [secret] : [])),
	};
}
