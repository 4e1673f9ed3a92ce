import { expect, it } from "vitest";
import { z } from "zod";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { gatewaySettings, gatewayTurn, suiteGateway } from "../support/openclaw/openclaw-suite.ts";
import { refused } from "../support/wire/refused.ts";

const Unavailable = z.looseObject({ code: z.string(), message: z.string(), fix: z.string() });
const Listed = z.object({ providers: z.array(z.looseObject({ providerId: z.string(), unavailable: Unavailable.optional() })) });

it.each([
	["nobody listens", { XWORKMATE_OPENCLAW_URL: "ws://127.0.0.1:9" }, "GATEWAY_UNREACHABLE"],
	["the token is wrong", { XWORKMATE_OPENCLAW_TOKEN: "a token of another gateway" }, "GATEWAY_TOKEN_WRONG"],
])("says why the gateway cannot be used and refuses a turn with the same words: %s", async (_, env, code) => {
	await using bridge = await startBridge({ env: { ...gatewaySettings(suiteGateway()), ...env } });
	const client = bridge.client();
	const { message } = await waitUntil("the reason", 20_000, async () => {
		const { providers } = Listed.parse(await client.rpc("acp.capabilities"));
		const unavailable = providers.find(({ providerId }) => providerId === "openclaw")?.unavailable;
		return unavailable?.code === code ? unavailable : undefined;
	});
	const refusal = await refused(client.stream("session.start", gatewayTurn("FAKE:SAY never said")));
	expect(refusal.data.code).toBe("GATEWAY_UNAVAILABLE");
	expect(refusal.message).toContain(message);
	expect(await client.rpc("xworkmate.tasks.list")).toMatchObject({ items: [] });
});
