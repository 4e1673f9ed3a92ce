import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";
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
	#watching: Promise<void>;
	#isWatching = true;
	/** Somebody asked for a restart, and waits for it. */
	#wanted: PromiseWithResolvers<void> | undefined;

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

	/**
	 * Ends the bridge and starts it again; starts one when none runs any more. Settles once it listens.
	 * @throws AppError BRIDGE_NOT_OWN, BRIDGE_NOT_RUNNING
	 */
	async restart(): Promise<void> {
		if (!this.#bridge.own) throw new AppError("BRIDGE_NOT_OWN", "this app does not run the bridge", "Start it again where it was started.");
		this.#wanted ??= Promise.withResolvers();
		const { promise } = this.#wanted;
		// Whoever waits hears of a failure; nobody else has to.
		promise.catch(() => undefined);
		if (this.#isWatching) await this.#bridge.stop();
		else this.#watching = this.#watch();
		await promise;
	}

	/** Leaves the bridge to its runs; the next app of this home takes it over. */
	leave(): void {
		this.#stopping.abort();
	}

	async #watch(): Promise<void> {
		this.#isWatching = true;
		try {
			await this.#keep();
		} finally {
			this.#isWatching = false;
			this.#wanted?.reject(new AppError("BRIDGE_NOT_RUNNING", "the bridge does not run any more", "Read `xworkmate logs`."));
			this.#wanted = undefined;
		}
	}

	async #keep(): Promise<void> {
		const stopped = new Promise<void>((resolve) => this.#stopping.signal.addEventListener("abort", () => resolve(), { once: true }));
		let restarts: number[] = [];
		for (;;) {
			await Promise.race([this.#bridge.exited, stopped]);
			if (this.#stopping.signal.aborted) return;
			if (this.#wanted !== undefined) {
				this.#options.onNote("Starting the bridge again.");
				if (!(await this.#again(0))) return;
				continue;
			}
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
			this.#wanted?.resolve();
			this.#wanted = undefined;
			if (signal.aborted) await this.#bridge.stop();
			return true;
		} catch (error) {
			this.#wanted?.reject(error);
			this.#wanted = undefined;
			this.#options.onNote(error instanceof Error ? error.message : "the bridge did not start");
			return false;
		}
	}
}
