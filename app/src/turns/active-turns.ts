import { setTimeout as pause } from "node:timers/promises";
import type { TurnKey } from "../threads/index.ts";
import { type DriverParts, TurnDriver } from "./turn-driver.ts";

/** After a fault of this machine, a full disk say, a turn is taken up again. */
const FAULT_PAUSE_MS = 30_000;

interface Entry {
	driver?: TurnDriver;
	ended: Promise<void>;
}

/** The turns under way: each once. */
export class ActiveTurns {
	readonly #parts: DriverParts;
	readonly #fault: (error: unknown) => void;
	readonly #stop = new AbortController();
	readonly #entries = new Map<string, Entry>();

	constructor(parts: DriverParts, fault: (error: unknown) => void) {
		this.#parts = parts;
		this.#fault = fault;
	}

	/** Carries a turn on, unless that is being done. Resolves when it is over, or the app closes. Never rejects. */
	start(key: TurnKey, resumed: boolean): Promise<void> {
		const running = this.#entries.get(name(key));
		if (running !== undefined) return running.ended;
		const entry: Entry = { ended: Promise.resolve() };
		this.#entries.set(name(key), entry);
		entry.ended = this.#run(key, entry, resumed).finally(() => this.#entries.delete(name(key)));
		return entry.ended;
	}

	/** Carries a turn on once what was done for it before has ended. */
	async startAfter(key: TurnKey): Promise<void> {
		await this.#entries.get(name(key))?.ended;
		await this.start(key, false);
	}

	find(key: TurnKey): TurnDriver | undefined {
		return this.#entries.get(name(key))?.driver;
	}

	/** The bridge is back. */
	hurry(): void {
		for (const { driver } of this.#entries.values()) driver?.hurry();
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
	}

	async #run(key: TurnKey, entry: Entry, resumed: boolean): Promise<void> {
		const { signal } = this.#stop;
		for (let again = resumed; !signal.aborted; again = true) {
			try {
				entry.driver = new TurnDriver(this.#parts, key, again);
				await entry.driver.run(signal);
				return;
			} catch (error) {
				this.#fault(error);
				if (this.#parts.repository.find(key.threadId) === undefined) return;
				await pause(FAULT_PAUSE_MS, undefined, { signal }).catch(() => undefined);
			}
		}
	}
}

function name({ threadId, turnId }: TurnKey): string {
	return JSON.stringify([threadId, turnId]);
}
