import { join } from "node:path";
import { OPENCLAW_CONTRACT_VERSION } from "@xworkmate/contracts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { GatewayPlace } from "./gateway/connect-problem.ts";
import { loadDeviceIdentity } from "./gateway/device-identity.ts";
import { defaultGatewayBounds, type GatewayBounds } from "./gateway/gateway-bounds.ts";
import type { GatewayLog } from "./gateway/gateway-connection.ts";
import { OpenClawProvider } from "./openclaw-provider.ts";
import { ArtifactSource } from "./transfer/artifact-source.ts";
import { UnconfiguredGateway } from "./unconfigured-gateway.ts";

export interface OpenClawOptions {
	/** A ws, wss, http or https address. If absent, there is no gateway. */
	readonly url?: string;
	readonly token?: string;
	/** The flags or environment variables that set the address and the token, for messages. */
	readonly setBy?: GatewayPlace["setBy"];
	/** The bridge's folder, which contains the device's key, as an absolute path. */
	readonly bridgeHome: string;
	readonly log: GatewayLog;
	readonly allowUntested?: boolean;
	readonly bounds?: Partial<GatewayBounds>;
}

const DEVICE_KEY = "openclaw-device.pem";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Creates the provider of the gateway target. If no gateway is configured, creates one that reports which settings are missing. */
export function createOpenClawProvider(options: OpenClawOptions): Provider {
	const { url, token, setBy = {}, bridgeHome, log, allowUntested = false, bounds: given } = options;
	if (url === undefined) return new UnconfiguredGateway();
	const bounds: GatewayBounds = { ...defaultGatewayBounds, ...given };
	const socketUrl = withProtocol(url, "ws");
	if (socketUrl.protocol === "ws:" && !LOOPBACK.has(socketUrl.hostname)) {
		log.warn(
			{ host: socketUrl.hostname },
			"the connection to the gateway is not encrypted, so others on the network can read it, including any token: use wss, or a tunnel to loopback",
		);
	}
	const letIn = token === undefined ? {} : { token };
	const access = async () => ({
		url: socketUrl.href,
		...letIn,
		identity: await loadDeviceIdentity(join(bridgeHome, DEVICE_KEY)),
		version: String(OPENCLAW_CONTRACT_VERSION),
	});
	const source = new ArtifactSource({ baseUrl: withProtocol(url, "http"), ...letIn, stallMs: bounds.stallMs });
	return new OpenClawProvider({ connection: { access, place: { host: socketUrl.host, setBy } }, source, bounds, log, allowUntested });
}

/** The gateway's address, with the protocol for a WebSocket or for HTTP requests. */
function withProtocol(address: string, family: "ws" | "http"): URL {
	const url = new URL(address);
	const secure = url.protocol === "wss:" || url.protocol === "https:";
	url.protocol = `${family}${secure ? "s" : ""}:`;
	return url;
}
