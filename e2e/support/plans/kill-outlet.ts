import type { BridgeProcess } from "../bridge/bridge-process.ts";

/** A channel to the outside whose messages a bridge is killed in the middle of, and the service that takes them. */
export interface KillOutlet extends AsyncDisposable {
	readonly channel: "email" | "whatsapp" | "discord";
	/** Settings of the bridge. */
	readonly env: Readonly<Record<string, string>>;
	/** The points at which a message can be held while the bridge is killed. */
	readonly points: readonly string[];
	/** Jonas' address. */
	readonly contact: string;
	setUp(bridge: BridgeProcess): Promise<void>;
	/** Holds a next message there. What it resolves with waits until one is held. @param random [0, 1) */
	hold(point: string, random: () => number): Promise<() => Promise<unknown>>;
	/** Once the bridge runs again after a kill. It may be killed again. */
	back(bridge: BridgeProcess, point: string): Promise<void>;
	/** The texts that arrived, by the service's own journal, once all that the killed bridge sent is dealt with. */
	arrived(): Promise<readonly string[]>;
	/** The service tells the bridge what arrived, so the user does not have to check. */
	readonly isProved: boolean;
}
