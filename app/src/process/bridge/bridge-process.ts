import type { Endpoint } from "@xworkmate/contracts";

/** A bridge that runs, as its supervisor sees it. */
export interface BridgeProcess {
	readonly endpoint: Endpoint;
	/** False for a bridge that the user started, which is left alone. */
	readonly own: boolean;
	/** Settles when the process is gone. */
	readonly exited: Promise<void>;
	/** SIGTERM, then SIGKILL when the bridge's own bound has long passed. One that is not ours is left alone. */
	stop(): Promise<void>;
	/** The same for one that does not answer: it gets half a second. */
	end(): Promise<void>;
}
