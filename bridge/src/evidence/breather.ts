import { setImmediate as nextTurn } from "node:timers/promises";
import { ContractError } from "@xworkmate/contracts";

/** How long work runs before everything else gets a turn. */
const WORK_MS = 8;

/** Lets everything else run at regular intervals during long work, and ends that work when its caller is gone. */
export class Breather {
	readonly #gone: AbortSignal | undefined;
	#since = performance.now();

	/** `gone`: aborted when no one waits any more. */
	constructor(gone?: AbortSignal) {
		this.#gone = gone;
	}

	/** Call it after each part. @throws ContractError when no one waits any more */
	async rest(): Promise<void> {
		if (this.#gone?.aborted === true) throw new ContractError("INVALID_REQUEST", { detail: "The connection was closed before the end." });
		if (performance.now() - this.#since < WORK_MS) return;
		await nextTurn();
		this.#since = performance.now();
	}
}
