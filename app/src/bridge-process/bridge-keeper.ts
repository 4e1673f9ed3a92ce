import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint } from "@xworkmate/contracts";
import { BridgeChild, type BridgeChildOptions } from "./bridge-child.ts";

const WINDOW_MS = 60_000;
const MAX_RESTARTS = 5;
const FIRST_DELAY_MS = 250;

export interface BridgeKeeperOptions extends BridgeChildOptions {
	/** What happens to the bridge, for the person. */
	readonly onNote: (words: string) => void;
}

/** Keeps a bridge running: one that ends by itself is started again, at most five times a minute. */
export class BridgeKeeper implements AsyncDisposable {
	readonly #options: BridgeKeeperOptions;
	readonly #stopping = new AbortController();
	#child: BridgeChild;
	#watching: Promise<void>;

	private constructor(options: BridgeKeeperOptions, child: BridgeChild) {
		this.#options = options;
		this.#child = child;
		this.#watching = this.#watch();
	}

	/** @throws AppError BRIDGE_NOT_RUNNING when the first start fails. */
	static async start(options: BridgeKeeperOptions): Promise<{ keeper: BridgeKeeper; endpoint: Endpoint }> {
		const { child, endpoint } = await BridgeChild.start(options);
		return { keeper: new BridgeKeeper(options, child), endpoint };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#stopping.abort();
		await this.#child.stop();
		await this.#watching;
	}

	async #watch(): Promise<void> {
		let restarts: number[] = [];
		for (;;) {
			await this.#child.exited;
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
			const { child } = await BridgeChild.start(this.#options);
			this.#child = child;
			if (signal.aborted) await child.stop();
			return true;
		} catch (error) {
			this.#options.onNote(error instanceof Error ? error.message : "the bridge did not start");
			return false;
		}
	}
}
