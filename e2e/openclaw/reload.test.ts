import { afterAll, beforeAll, expect, it } from "vitest";
import type { BareClient } from "../support/bare-client.ts";
import type { BridgeProcess } from "../support/bridge-process.ts";
import { changeHook, installPlugin, reloadPlugin } from "../support/onboarded-gateway.ts";
import { gatewaySettings, gatewayTurn, startGatewayBridge, useOnboardedGateway } from "../support/openclaw-suite.ts";
import { settle } from "../support/settle.ts";

const gateway = useOnboardedGateway();
let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startGatewayBridge({ env: gatewaySettings(gateway) });
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const writes = (name: string) => gatewayTurn(`FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/${name} # hello ;; SAY it is written`);

it.each<readonly [string, () => Promise<unknown>]>([
	["OpenClaw reloaded it", () => reloadPlugin(gateway)],
	["a setting of it was changed", () => changeHook(gateway, "allowPromptInjection")],
	["it was installed once more over itself, as an upgrade is", () => installPlugin(gateway)],
	[
		"it was disabled and enabled",
		async () => {
			await gateway.command(["plugins", "disable", "xworkmate"]);
			await gateway.command(["plugins", "enable", "xworkmate"]);
		},
	],
])("delivers files after the plugin was loaded again in a running gateway: %s", async (_, loadAgain) => {
	await loadAgain();
	const { snapshot } = await settle(client, writes("report.md"));
	expect(snapshot, await gateway.output()).toMatchObject({ status: "completed", artifacts: { items: [{ relativePath: "report.md" }] } });
});
