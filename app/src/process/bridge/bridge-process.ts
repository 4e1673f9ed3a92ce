import type { Endpoint } from "@xworkmate/contracts";

/** A running bridge as its supervisor sees it. */
export interface BridgeProcess {
	readonly endpoint: Endpoint;
	/** False for a bridge that the user started, which is left alone. */
	readonly own: boolean;
	/** Resolves when the process has ended. */
	readonly exited: Promise<void>;
	/** Sends SIGTERM, and SIGKILL well after the bridge's own time limit for ending. A bridge that the user started is left alone. */
	stop(): Promise<void>;
	/** Like `stop`, for a bridge that does not answer: sends SIGKILL after half a second. */
	end(): Promise<void>;
}
