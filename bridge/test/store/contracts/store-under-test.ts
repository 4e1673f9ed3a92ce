import type { BridgeStore } from "../../../src/store/bridge-store.ts";

/** A store without its `close`, which `reopen` and the end of a test call. */
export type StorePorts = Omit<BridgeStore, "close">;

/** A new, empty store, removed when disposed of. */
export interface StoreUnderTest extends AsyncDisposable {
	readonly ports: StorePorts;
	/** Closes it and opens the same data again; earlier ports are dead then. */
	reopen(): Promise<StorePorts>;
}

export type OpenStore = () => Promise<StoreUnderTest>;
