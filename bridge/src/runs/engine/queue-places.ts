import type { Clock } from "../../ports/clock.ts";
import type { Admission } from "../domain/admission.ts";
import type { LiveRun } from "./live-run.ts";
import type { RunLookup } from "./run-lookup.ts";

/** The delay before the new places of runs are written, so that many moves are written once. */
const EVERY_MS = 1_000;

/**
 * Writes the places of waiting runs to their logs. Every start and every end moves many runs, so their new places are written together from
 * time to time. Each run decides which of its places are logged.
 */
export class QueuePlaces implements Disposable {
	readonly #admission: Admission;
	readonly #lookup: RunLookup;
	readonly #clock: Clock;
	#timer: Disposable | undefined;

	constructor(admission: Admission, lookup: RunLookup, clock: Clock) {
		this.#admission = admission;
		this.#lookup = lookup;
		this.#clock = clock;
	}

	/** Writes the first place of a run that has to wait. */
	write(run: LiveRun): void {
		const place = this.#admission.placeOf(run.runId);
		if (place !== undefined) run.dispatch({ type: "move_in_queue", ...place });
	}

	/** Must be called when runs have moved. */
	writeSoon(): void {
		if (this.#timer !== undefined || this.#admission.queuedCount === 0) return;
		this.#timer = this.#clock.at(this.#clock.now() + EVERY_MS, () => {
			this.#timer = undefined;
			for (const [runId, place] of this.#admission.waiting()) this.#lookup.live(runId)?.dispatch({ type: "move_in_queue", ...place });
		});
	}

	[Symbol.dispose](): void {
		this.#timer?.[Symbol.dispose]();
	}
}
