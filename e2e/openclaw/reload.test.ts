import { expect, it } from "vitest";
import { approvals, decide } from "../support/app/approvals.ts";
import { settle } from "../support/bridge/settle.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { changeHook, reloadPlugin } from "../support/openclaw/onboarded-gateway.ts";
import {
	gatewaySettings,
	gatewayTurn,
	startGatewayBridge,
	TURN_BOUND_MS,
	useGatewayBridge,
	useOnboardedGateway,
} from "../support/openclaw/openclaw-suite.ts";

const gateway = useOnboardedGateway();
const client = useGatewayBridge(gatewaySettings(gateway));

const writes = (name: string) => gatewayTurn(`FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/${name} # hello ;; SAY it is written`);

it.each<readonly [string, () => Promise<unknown>]>([
	["OpenClaw reloaded it", () => reloadPlugin(gateway)],
	["a setting of it was changed", () => changeHook(gateway, "allowPromptInjection")],
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

it("is not replaced under a run that waits for an answer, which then goes on as answered", async () => {
	await using asking = await startGatewayBridge({ env: { ...gatewaySettings(gateway), XWORKMATE_ALLOW_PROVIDERS: "" } });
	const asked = asking.client();
	const { snapshot } = await settle(asked, gatewayTurn("FAKE:RUN printf done > $XWORKMATE_ARTIFACT_DIRECTORY/done.txt ;; SAY it is done"), {
		during: async () => {
			const question = await waitUntil("the question", TURN_BOUND_MS, async () => (await approvals(asked, { state: "pending" }))[0]);
			using operator = await gateway.connect();
			await expect(operator.request("plugins.reload", { plugins: [{ pluginId: "xworkmate" }] }, TURN_BOUND_MS * 2)).rejects.toThrow(
				"xworkmate",
			);
			await decide(asked, question.approvalId, "allow_once");
		},
	});
	expect(snapshot).toMatchObject({ status: "completed", artifacts: { items: [{ relativePath: "done.txt" }] } });
});
