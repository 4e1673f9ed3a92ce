import { inject } from "vitest";
import { z } from "zod";
import { type BridgeOptions, type BridgeProcess, startBridge } from "./bridge-process.ts";
import { type ModelRequest, readModelLog } from "./fake-model.ts";
import { createGateway, OpenClawGateway } from "./openclaw-gateway.ts";
import { builtPlugin } from "./openclaw-plugin.ts";
import { type TurnOptions, type TurnParams, turn } from "./turn.ts";
import { waitUntil } from "./wait-until.ts";

const CONNECT_BOUND_MS = 30_000;
/** How long to wait for something a turn does: a busy gateway takes its time. */
export const TURN_BOUND_MS = 60_000;

/** The suite's gateway, as its set-up started it. */
export function suiteGateway(): OpenClawGateway {
	return new OpenClawGateway(inject("gateway"));
}

/** A gateway of its own in front of the suite's model, for what would disturb the others. */
export async function ownGateway(): Promise<OpenClawGateway> {
	return createGateway({ modelUrl: inject("modelUrl"), plugins: [builtPlugin] });
}

/** What the suite's scripted model was asked so far. */
export function modelRequests(): Promise<readonly ModelRequest[]> {
	return readModelLog(inject("modelLog"));
}

/** The requests to the model that carry these words anywhere, as JSON. */
export async function requestsAbout(words: string): Promise<readonly string[]> {
	const bodies = (await modelRequests()).map(({ body }) => JSON.stringify(body ?? ""));
	return bodies.filter((body) => body.includes(words));
}

/** Settings of a bridge that uses the gateway, all tool calls allowed. `via`: a port of 127.0.0.1 in front of it. */
export function gatewaySettings(gateway: OpenClawGateway, via?: number): Record<string, string> {
	return {
		XWORKMATE_OPENCLAW_URL: via === undefined ? gateway.url : `ws://127.0.0.1:${via}`,
		XWORKMATE_OPENCLAW_TOKEN: gateway.place.token,
		XWORKMATE_OPENCLAW_MAX_ACTIVE: "8",
		XWORKMATE_MAX_ACTIVE_RUNS: "12",
		XWORKMATE_ALLOW_PROVIDERS: "openclaw",
	};
}

const Offered = z.object({ providers: z.array(z.looseObject({ providerId: z.string(), available: z.boolean() })) });

/** A bridge in a home of its own in front of the suite's gateway, or of the one that `env` names, connected. */
export async function startGatewayBridge({ env, ...options }: BridgeOptions = {}): Promise<BridgeProcess> {
	const bridge = await startBridge({ ...options, env: { ...gatewaySettings(suiteGateway()), ...env } });
	await waitUntil("the gateway behind the bridge", CONNECT_BOUND_MS, async () => {
		const { providers } = Offered.parse(await bridge.client().rpc("acp.capabilities"));
		return providers.some(({ providerId, available }) => providerId === "openclaw" && available) ? true : undefined;
	});
	return bridge;
}

/** A turn for the gateway. */
export function gatewayTurn(prompt: string, more: Partial<TurnOptions> = {}): TurnParams {
	return turn({ executionTarget: "gateway", providerId: "openclaw", ...more, prompt });
}
