import { limits } from "@xworkmate/contracts";

/** The main time limits and pauses of the bridge client, in milliseconds. */
export interface ClientBounds {
	/** The limit for one call that is answered with JSON, unless its method is slow, and for the wait for a stream's headers. */
	readonly callMs: number;
	/** How long a stream may be without an event or heartbeat (the bridge sends one every 15 s). */
	readonly idleMs: number;
	/** How often `tasks.get` is called while a stream is live. */
	readonly pollMs: number;
	readonly backoffMinMs: number;
	readonly backoffMaxMs: number;
	/** How long to keep trying to reach a bridge. */
	readonly recoveryMs: number;
	/** The limit for fetching the end of a transcript once the terminal snapshot is known. */
	readonly tailMs: number;
}

export const clientBounds: ClientBounds = {
	callMs: 30_000,
	idleMs: 3 * limits.heartbeatMs,
	pollMs: limits.pollMs,
	backoffMinMs: 250,
	backoffMaxMs: 15_000,
	recoveryMs: limits.recoveryMs,
	tailMs: 10_000,
};
