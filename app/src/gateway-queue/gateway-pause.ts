import { type Capabilities, gatewayNotSetUp, PassingGatewayCode } from "@xworkmate/contracts";
import type { QueuePause } from "../api/app-api.ts";

/** Why the bridge cannot run turns of the gateway target now, in the bridge's own words if it gave any; undefined if it can. */
export function gatewayPause({ providers }: Pick<Capabilities, "providers">): QueuePause | undefined {
	const gateways = providers.filter(({ target }) => target === "gateway");
	if (gateways.some(({ available }) => available)) return undefined;
	const [first] = gateways;
	if (first === undefined) return { code: "GATEWAY_UNAVAILABLE", ...gatewayNotSetUp };
	return first.unavailable ?? { code: "GATEWAY_UNAVAILABLE", message: `${first.label} is not available and gave no reason.` };
}

/** True if waiting may help: the gateway is unreachable or starting, or the bridge does not answer. */
export function passesByItself({ code }: QueuePause): boolean {
	return PassingGatewayCode.safeParse(code).success || code.startsWith("ACP_HTTP_") || code === "BRIDGE_NOT_RUNNING";
}
