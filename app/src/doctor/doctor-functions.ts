import type { DoctorFunctions } from "../api/methods.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";
import type { GatewayQueue } from "../gateway-queue/index.ts";
import type { AppHost } from "./app-host.ts";
import type { BridgeWatch } from "./bridge-watch.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { accountFindings, operatorFindings, toolFindings } from "./finding.ts";
import { settingFindings } from "./setting-findings.ts";
import { type HomeToVerify, verifyHome } from "./verify-home.ts";

export interface DoctorParts {
	readonly client: BridgeClient;
	readonly bridge: BridgeWatch;
	readonly host: AppHost;
	readonly diagnosis: Diagnosis;
	readonly gatewayQueue: Pick<GatewayQueue, "learn">;
	readonly stored: HomeToVerify;
}

export function doctorFunctions({ client, bridge, host, diagnosis, gatewayQueue, stored }: DoctorParts): DoctorFunctions {
	return {
		async capabilities() {
			const capabilities = await client.call("acp.capabilities", {});
			gatewayQueue.learn(capabilities);
			return capabilities;
		},
		async doctor() {
			const view = await bridge.ask();
			// Errors are ignored: a bridge that does not answer is reported as a finding, and a bridge of an earlier version lacks these methods.
			const { integrations } = await client.call("xworkmate.tools.list", {}).catch(() => ({ integrations: [] }));
			const accounts = await client.call("xworkmate.auth.list", {}).then(accountFindings, () => []);
			const { operators } = await client.call("xworkmate.operators.list", {}).catch(() => ({ operators: [] }));
			const { settings } = await client.call("xworkmate.settings.list", {}).catch(() => ({ settings: [] }));
			const providers = view.capabilities?.providers;
			const named = providers === undefined ? [] : await settingFindings(settings, providers, stored.ownBridge);
			return [...(await diagnosis.findings(view)), ...named, ...operatorFindings(operators), ...toolFindings(integrations), ...accounts];
		},
		verifyHome: ({ only }) => verifyHome(stored, only),
		testBridge: () => bridge.ask(),
		async testProvider({ providerId }) {
			const tested = await client.call("xworkmate.providers.test", { providerId });
			// The provider's models may have changed. Asking the bridge notifies every page of a change.
			void bridge.ask();
			return tested;
		},
		operators: () => client.call("xworkmate.operators.list", {}),
		async restartBridge() {
			if (host.restartBridge === undefined) {
				throw new AppError(
					"BRIDGE_NOT_OWN",
					"This app did not start the bridge, so it can't restart it.",
					"Restart the bridge where it was started.",
				);
			}
			await host.restartBridge();
			return await bridge.ask();
		},
		settings: async () => host.settings(),
		bridgeLog: () => diagnosis.bridgeLog(),
	};
}
