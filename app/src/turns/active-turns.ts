import { setTimeout as pause } from "node:timers/promises";
import type { TurnKey } from "../threads/index.ts";
import { type DriverParts, TurnDriver } from "./turn-driver.ts";

/** After a fault of this machine, a full disk say, a turn is resumed. */
const FAULT_PAUSE_MS = 30_000;

interface Entry {
	driver?: TurnDriver;
	ended: Promise<void>;
}

/** The active turns, each driven once. */
export class ActiveTurns {
	readonly #parts: DriverParts;
	readonly #fault: (error: unknown) => void;
	readonly #stop = new AbortController();
	readonly #entries = new Map<string, Entry>();

	constructor(parts: DriverParts, fault: (error: unknown) => void) {
		this.#parts = parts;
		this.#fault = fault;
	}

	/** Drives a turn, unless it is already being driven. Resolves when it has ended or the app closes. Never rejects. */
	start(key: TurnKey, resumed: boolean): Promise<void> {
		const running = this.#entries.get(name(key));
		if (running !== undefined) return running.ended;
		const entry: Entry = { ended: Promise.resolve() };
		this.#entries.set(name(key), entry);
		entry.ended = this.#run(key, entry, resumed).finally(() => this.#entries.delete(name(key)));
		return entry.ended;
	}

	/** Drives a turn once earlier work on it has ended. */
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
