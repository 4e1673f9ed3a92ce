import { setImmediate as nextTurn } from "node:timers/promises";
import { ContractError } from "@xworkmate/contracts";

/** How long work runs before it yields to the event loop. */
const WORK_MS = 8;

/** Yields to the event loop at regular intervals during long work, and ends that work when its caller has disconnected. */
export class Breather {
	readonly #gone: AbortSignal | undefined;
	#since = performance.now();

	/** `gone`: aborted when the caller has disconnected. */
	constructor(gone?: AbortSignal) {
		this.#gone = gone;
	}

	/**
	 * Must be called after each part of the work.
	 * @throws ContractError when the caller has disconnected
	 */
	async rest(): Promise<void> {
		if (this.#gone?.aborted === true)
			throw new ContractError("INVALID_REQUEST", { detail: "The connection was closed before the verification was complete." });
		if (performance.now() - this.#since < WORK_MS) return;
		await nextTurn();
		this.#since = performance.now();
	}
}
