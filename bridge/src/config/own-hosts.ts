import type { BridgeConfig } from "./config.ts";

/** The host names of this bridge: the configured ones, and the listening address unless it is the wildcard `0.0.0.0` or `::`. */
export function ownHosts({ allowedHosts, listen }: Pick<BridgeConfig, "allowedHosts" | "listen">): readonly string[] {
	const { host } = listen;
	if (host === "0.0.0.0" || host === "::") return allowedHosts;
	return [...allowedHosts, host.includes(":") ? `[${host.toLowerCase()}]` : host.toLowerCase()];
}
