import { z } from "zod";
import { LoopbackAddress } from "./listen-address.ts";
import { setting } from "./setting-row.ts";
import { webAddress } from "./setting-values.ts";

/** Variables that only the app and the command read. */
export const AppEnvironment = z.object({
	XWORKMATE_APP_LISTEN: setting(LoopbackAddress.default({ host: "127.0.0.1", port: 8788 }), {
		meaning: "Loopback address the app listens on.",
		group: "app",
		default: "127.0.0.1:8788",
	}),
	XWORKMATE_BRIDGE_URL: setting(webAddress.optional(), {
		meaning: "Address of a bridge that was started elsewhere; https unless it is on this computer. If unset, the bridge of this home.",
		group: "app",
	}),
});
