import type { ClientBounds } from "../../src/bridge-client/index.ts";
import type { SyncBounds } from "../../src/sync/index.ts";

/** The waits of the app in milliseconds that a test can afford. */
export const fastClient: ClientBounds = {
	callMs: 2_000,
	idleMs: 400,
	pollMs: 5_000,
	backoffMinMs: 5,
	backoffMaxMs: 20,
	recoveryMs: 300,
	tailMs: 1_000,
};

export const fastSync: SyncBounds = { attempts: 3, pauseMs: 5, minMs: 10_000, bytesPerSecond: 1_000 };
