import type { RunId } from "@xworkmate/contracts";
import type { Attempt, AttemptLedger } from "../../ports/runs/attempt-ledger.ts";

/**
 * How many times the bridge has to die during a run's attempts before the run is no longer retried. The last time, no other run's attempt
 * may have been open.
 */
const POISONED_AT = 2;

/** `ended`: the bridge was stopped, or exited deliberately, as on a disk that stays full. `died`: it was killed, or a run crashed it. */
export type EndBefore = "ended" | "died";

/** What the last bridge's end means for unfinished runs. */
export interface Suspicion {
	/** Runs whose attempts have not ended. They are retried one at a time, because any of them may have crashed the bridge. */
	readonly suspects: ReadonlySet<RunId>;
	/** Runs that are not retried, because they seem to have crashed the bridge again. */
	readonly poisoned: ReadonlySet<RunId>;
}

/**
 * Tracks which runs are in a phase in which they could crash the bridge: from their start until the runtime has the turn, and while their
 * files are collected and sealed. Each attempt is written before its phase begins, so that the next bridge knows of it.
 */
export class Attempts {
	readonly #ledger: AttemptLedger;
	readonly #onError: (error: unknown, runId: RunId) => void;
	/** The open attempts. Each promise settles when its attempt has ended. */
	readonly #open = new Map<RunId, PromiseWithResolvers<void>>();
	/** For each run, how many bridges died during its attempts. */
	readonly #deaths = new Map<RunId, number>();
	/** The last write. Writes are made one at a time, because the end of an attempt must not remove the record of the run's next attempt. */
	#written = Promise.resolve();

	constructor(ledger: AttemptLedger, onError: (error: unknown, runId: RunId) => void) {
		this.#ledger = ledger;
		this.#onError = onError;
	}

	/**
	 * Evaluates how the previous bridge ended. A run is blamed only if its attempt was open and the bridge did not end for another reason.
	 * Must be called once, with all unfinished runs.
	 */
	async inherit(unfinished: ReadonlySet<RunId>, before: EndBefore): Promise<Suspicion> {
		const left: Attempt[] = [];
		for (const attempt of await this.#ledger.list()) {
			if (unfinished.has(attempt.runId)) left.push(attempt);
			else await this.#write(attempt.runId, undefined);
		}
		const alone = left.filter(({ open }) => open).length === 1;
		const poisoned = new Set<RunId>();
		for (const { runId, deaths: earlier, open } of left) {
			const deaths = earlier + (open && before === "died" ? 1 : 0);
			this.#deaths.set(runId, deaths);
			// Written immediately, so that the crash is not counted again if this bridge ends before the run is retried.
			if (open) await this.#write(runId, { runId, deaths, open: false });
			if (open && alone && before === "died" && deaths >= POISONED_AT) poisoned.add(runId);
		}
		return { suspects: new Set([...this.#deaths.keys()].filter((runId) => !poisoned.has(runId))), poisoned };
	}

	/** Settles once the attempt is written, or the write has failed: a run can continue without the ledger. */
	open(runId: RunId): Promise<void> {
		if (this.#open.has(runId)) return this.#written;
		this.#open.set(runId, Promise.withResolvers());
		return this.#write(runId, { runId, deaths: this.#deaths.get(runId) ?? 0, open: true });
	}

	/** Ends the attempt, so that the run is no longer suspected of having crashed the bridge. */
	close(runId: RunId): void {
		const known = this.#open.get(runId);
		if (known === undefined && !this.#deaths.has(runId)) return;
		this.#open.delete(runId);
		this.#deaths.delete(runId);
		void this.#write(runId, undefined).then(() => known?.resolve());
	}

	/** Settles when the run has no open attempt. */
	async closed(runId: RunId): Promise<void> {
		await this.#open.get(runId)?.promise;
	}

	/** Settles when everything is written. */
	flushed(): Promise<void> {
		return this.#written;
	}

	#write(runId: RunId, attempt: Attempt | undefined): Promise<void> {
		this.#written = this.#written
			.then(() => (attempt === undefined ? this.#ledger.remove(runId) : this.#ledger.write(attempt)))
			.catch((error: unknown) => this.#onError(error, runId));
		return this.#written;
	}
}
