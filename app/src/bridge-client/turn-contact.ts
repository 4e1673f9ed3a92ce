import { setTimeout as pause } from "node:timers/promises";
import type { ClientBounds } from "./wire/client-bounds.ts";
import type { Connection, EndDetail } from "./wire/turn-end.ts";

/**
 * The contact with the bridge about one turn: whether the turn's current state is known, how long the bridge has been silent, and when to
 * try again.
 */
export class TurnContact {
	readonly #bounds: ClientBounds;
	readonly #tell: (change: Connection) => void;
	#failures = 0;
	#lostSince: number | undefined;
	#isLost: boolean;
	/** Aborts the pause between two attempts, but not an attempt itself. */
	#resting = new AbortController();

	constructor(bounds: ClientBounds, resumed: boolean, tell: (change: Connection) => void) {
		this.#bounds = bounds;
		this.#isLost = resumed;
		this.#tell = tell;
	}

	/** True while the turn's current state is unknown. */
	get isLost(): boolean {
		return this.#isLost;
	}

	/**
	 * Call this when the bridge has answered about this turn. The turn's current state may still be unknown, because past events are
	 * replayed.
	 */
	heard(): void {
		this.#lostSince = undefined;
	}

	/** Call this when new updates have arrived. */
	progressed(): void {
		this.#failures = 0;
	}

	/** Call this when the turn's current state is known. Not every answer includes it: replayed events and an ended run do not. */
	restored(): void {
		if (!this.#isLost) return;
		this.#isLost = false;
		this.#tell({ state: "restored" });
	}

	lost(detail: EndDetail): void {
		if (this.#lostSince !== undefined) return;
		this.#lostSince = performance.now();
		this.#isLost = true;
		this.#tell({ state: "lost", ...detail });
	}

	/** Call this when an attempt has failed. Returns true if there is time for another. */
	failed(detail: EndDetail): boolean {
		this.lost(detail);
		this.#failures += 1;
		return performance.now() - (this.#lostSince ?? performance.now()) < this.#bounds.recoveryMs;
	}

	/** The pause before the next attempt, longer after each failure. */
	async backOff(signal: AbortSignal): Promise<void> {
		const { backoffMinMs, backoffMaxMs } = this.#bounds;
		const full = Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(this.#failures, 16));
		this.#resting = new AbortController();
		const wake = AbortSignal.any([signal, this.#resting.signal]);
		await pause(full * (0.5 + Math.random() / 2), undefined, { signal: wake }).catch(() => undefined);
	}

	/** Ends the pause, because the bridge is reachable again. */
	hurry(): void {
		this.#resting.abort();
	}
}
