import type { RunId } from "@xworkmate/contracts";
import type { Attempt, AttemptLedger } from "../../ports/attempt-ledger.ts";

/** A run that was being started or finished when this many bridges ended, and nothing else was, is not tried again. */
const POISONED_AT = 2;

/** `ended`: it was stopped, or exited deliberately, as on a disk that stays full. `died`: it was killed, or a run crashed it. */
export type EndBefore = "ended" | "died";

/** What the end of the last bridge implies for unfinished runs. */
export interface Suspicion {
	/** Tried alone, one after another: one of them may have ended the bridge. */
	readonly suspects: ReadonlySet<RunId>;
	/** Ended it twice. */
	readonly poisoned: ReadonlySet<RunId>;
}

/**
 * Which runs are in a phase in which they could crash the bridge: being started or taken up until the runtime has
 * the turn, and being collected and sealed. Written before the moment begins, so that the next bridge knows.
 */
export class Attempts {
	readonly #ledger: AttemptLedger;
	readonly #onError: (error: unknown, runId: RunId) => void;
	/** Settled when the attempt has ended. */
	readonly #open = new Map<RunId, PromiseWithResolvers<void>>();
	/** How many bridges ended during an attempt of these runs. */
	readonly #deaths = new Map<RunId, number>();
	/** One write after another: an attempt that is opened again must not be removed by the end of the one before. */
	#written = Promise.resolve();

	constructor(ledger: AttemptLedger, onError: (error: unknown, runId: RunId) => void) {
		this.#ledger = ledger;
		this.#onError = onError;
	}

	/**
	 * Judges the end of the bridge before this one. Blame is exact: a run is poisoned only when its attempt was the
	 * one that was open, and the bridge did not end for its own reason. Call once, with every run that is not over.
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
			// On the disk at once: a bridge that ends again before their turn comes counts nothing twice.
			if (open) await this.#write(runId, { runId, deaths, open: false });
			if (open && alone && before === "died" && deaths >= POISONED_AT) poisoned.add(runId);
		}
		return { suspects: new Set([...this.#deaths.keys()].filter((runId) => !poisoned.has(runId))), poisoned };
	}

	/** Settles once it is written, or once it is known that it cannot be: a run can continue without the ledger. */
	open(runId: RunId): Promise<void> {
		if (this.#open.has(runId)) return this.#written;
		this.#open.set(runId, Promise.withResolvers());
		return this.#write(runId, { runId, deaths: this.#deaths.get(runId) ?? 0, open: true });
	}

	/** The moment has passed; nothing is held against the run any more. */
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
