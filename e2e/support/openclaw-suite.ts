import { inject } from "vitest";
import { type BridgeOptions, type BridgeProcess, startBridge } from "./bridge-process.ts";
import { type ModelRequest, readModelLog } from "./fake-model.ts";
import { OpenClawGateway } from "./openclaw-gateway.ts";
import { type TurnOptions, type TurnParams, turn } from "./turn.ts";

/** The suite's gateway, as its set-up started it. */
export function suiteGateway(): OpenClawGateway {
	return new OpenClawGateway(inject("gateway"));
}

/** What the suite's scripted model was asked so far. */
export function modelRequests(): Promise<readonly ModelRequest[]> {
	return readModelLog(inject("modelLog"));
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

/** A bridge in a home of its own in front of the suite's gateway. */
export function startGatewayBridge({ env, ...options }: BridgeOptions = {}): Promise<BridgeProcess> {
	return startBridge({ ...options, env: { ...gatewaySettings(suiteGateway()), ...env } });
}

/** A turn for the gateway. */
export function gatewayTurn(prompt: string, more: Partial<TurnOptions> = {}): TurnParams {
	return turn({ executionTarget: "gateway", providerId: "openclaw", ...more, prompt });
}
