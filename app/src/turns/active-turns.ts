import { setTimeout as pause } from "node:timers/promises";
import { toFailure } from "../errors/failure.ts";
import type { TurnKey } from "../threads/index.ts";
import { type DriverParts, TurnDriver } from "./turn-driver.ts";

/** How long to wait before a turn is resumed after a failure of this machine, such as a full disk. */
const FAULT_PAUSE_MS = 30_000;

interface Entry {
	/** Absent after a failure until the next attempt. */
	driver: TurnDriver | undefined;
	/** Ends the pause after a failure. */
	resting: AbortController;
	ended: Promise<void>;
}

/** The active turns. Each has at most one driver. */
export class ActiveTurns {
	readonly #parts: DriverParts;
	readonly #fault: (error: unknown) => void;
	readonly #stop = new AbortController();
	readonly #entries = new Map<string, Entry>();

	constructor(parts: DriverParts, fault: (error: unknown) => void) {
		this.#parts = parts;
		this.#fault = fault;
	}

	/** True while any turn is being driven or waits for the next attempt after a failure. */
	get hasAny(): boolean {
		return this.#entries.size > 0;
	}

	/**
	 * Drives a turn unless it is already being driven, and resumes it after a failure of this machine. Resolves when the turn has ended, has
	 * become unresolved or has returned to the queue, when its thread was deleted, or when the app closes. Never rejects.
	 * @param replaceEdits whether the sync of a run's files replaces those that it saved earlier and that have been edited since
	 */
	async start(key: TurnKey, resumed: boolean, replaceEdits = false): Promise<void> {
		const running = this.#entries.get(name(key));
		if (running !== undefined) return await running.ended;
		const { promise: ended, resolve } = Promise.withResolvers<void>();
		const entry: Entry = { driver: undefined, resting: new AbortController(), ended };
		this.#entries.set(name(key), entry);
		const { signal } = this.#stop;
		try {
			for (let again = resumed; !signal.aborted; again = true) {
				try {
					entry.driver = new TurnDriver(this.#parts, key, { resumed: again, found: resumed, replaceEdits });
					return await entry.driver.run(signal);
				} catch (error) {
					this.#fault(error);
					const { feed } = this.#parts;
					if (this.#wasDeleted(key)) return feed.forget(key);
					entry.driver = undefined;
					entry.resting = new AbortController();
					// During this pause, updates of the run are not received.
					feed.show(key, { connection: { state: "lost", ...toFailure(error), local: true } });
					await pause(FAULT_PAUSE_MS, undefined, { signal: AbortSignal.any([signal, entry.resting.signal]) }).catch(() => undefined);
				}
			}
		} finally {
			this.#entries.delete(name(key));
			resolve();
		}
	}

	/** Drives a turn once any earlier work on it has ended. */
	async startAfter(key: TurnKey): Promise<void> {
		await this.#entries.get(name(key))?.ended;
		await this.start(key, false);
	}

	/** True while the turn is being driven; false after a failure until the next attempt. */
	isFollowed(key: TurnKey): boolean {
		return this.#entries.get(name(key))?.driver !== undefined;
	}

	/**
	 * Sends the turn's saved stop request. A queued turn has no driver yet, so nothing is sent. After a failure, the next attempt starts
	 * immediately and sends the request.
	 */
	async cancel(key: TurnKey): Promise<void> {
		const entry = this.#entries.get(name(key));
		entry?.resting.abort();
		await entry?.driver?.cancel();
	}

	/** Call this when the bridge is reachable again. */
	hurry(): void {
		for (const { driver } of this.#entries.values()) driver?.hurry();
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
	}

	/**
	 * True if the turn's thread was deleted while the turn was being driven. Also false if the thread cannot be read, which may be why the
	 * turn's driver failed: the next attempt reads the thread again.
	 */
	#wasDeleted({ threadId }: TurnKey): boolean {
		try {
			return this.#parts.repository.find(threadId) === undefined;
		} catch (error) {
			this.#fault(error);
			return false;
		}
	}
}

function name({ threadId, turnId }: TurnKey): string {
	return JSON.stringify([threadId, turnId]);
}
