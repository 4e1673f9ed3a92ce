import type { Timestamp } from "@xworkmate/contracts";
import type { PlacedStep, RunStep } from "../../ports/runs/run-step.ts";

/** The steps of a run that are not known to be durable, each with its number. */
export class PendingSteps {
	#last = 0;
	#pending: PlacedStep[] = [];

	/** The pending steps, as a copy, because more may be added while these are being written. */
	get pending(): readonly PlacedStep[] {
		return [...this.#pending];
	}

	add(steps: readonly RunStep[], at: Timestamp): void {
		for (const step of steps) this.#pending.push({ n: ++this.#last, at, step });
	}

	continueAfter(stored: number): void {
		this.#last = stored;
	}

	/** Removes the first `count` steps, which are durable now. */
	written(count: number): void {
		this.#pending.splice(0, count);
	}
}
