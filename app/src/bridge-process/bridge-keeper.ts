import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "@xworkmate/contracts";
import { adoptBridge } from "./adopt-bridge.ts";
import { forgetOwnBridge } from "./bridge-files.ts";
import type { BridgeProcess } from "./bridge-process.ts";
import { type SpawnBridgeOptions, spawnBridge } from "./spawn-bridge.ts";

const WINDOW_MS = 60_000;
const MAX_RESTARTS = 5;
const FIRST_DELAY_MS = 250;

export interface BridgeKeeperOptions extends SpawnBridgeOptions {
	/** What happens to the bridge, for the person. */
	readonly onNote: (words: string) => void;
}

/** Keeps a bridge running in a home: takes the one that runs, starts one else, starts it again at most five times a minute. */
export class BridgeKeeper {
	readonly #options: BridgeKeeperOptions;
	readonly #stopping = new AbortController();
	#bridge: BridgeProcess;
	readonly #watching: Promise<void>;

	private constructor(options: BridgeKeeperOptions, bridge: BridgeProcess) {
		this.#options = options;
		this.#bridge = bridge;
		this.#watching = this.#watch();
	}

	/** @throws AppError BRIDGE_NOT_RUNNING when none runs and none can be started. */
	static async open(options: BridgeKeeperOptions): Promise<BridgeKeeper> {
		return new BridgeKeeper(options, (await adoptBridge(options.home)) ?? (await spawnBridge(options)));
	}

	get endpoint(): Endpoint {
		return this.#bridge.endpoint;
	}

	/** Ends the bridge, when an app of this home started it. */
	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#bridge.stop();
		await this.#watching;
		await forgetOwnBridge(this.#options.home);
	}

	/** Leaves the bridge to its runs; the next app of this home takes it over. */
	leave(): void {
		this.#stopping.abort();
	}

	async #watch(): Promise<void> {
		const stopped = new Promise<void>((resolve) => this.#stopping.signal.addEventListener("abort", () => resolve(), { once: true }));
		let restarts: number[] = [];
		for (;;) {
			await Promise.race([this.#bridge.exited, stopped]);
			if (this.#stopping.signal.aborted) return;
			restarts = [...restarts.filter((at) => at > Date.now() - WINDOW_MS), Date.now()];
			if (restarts.length > MAX_RESTARTS) {
				this.#options.onNote("The bridge ended too often and is not started again. See: xworkmate logs");
				return;
			}
			this.#options.onNote("The bridge ended by itself; starting it again. Runs that were executing are marked as interrupted.");
			if (!(await this.#again(FIRST_DELAY_MS * 2 ** (restarts.length - 1)))) return;
		}
	}

	/** False when there is nothing more to watch. */
	async #again(after: number): Promise<boolean> {
		const { signal } = this.#stopping;
		await delay(after, undefined, { signal }).catch(() => undefined);
		if (signal.aborted) return false;
		try {
			this.#bridge = await spawnBridge(this.#options);
			if (signal.aborted) await this.#bridge.stop();
			return true;
		} catch (error) {
			this.#options.onNote(error instanceof Error ? error.message : "the bridge did not start");
			return false;
		}
	}
}
