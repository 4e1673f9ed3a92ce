import type { AppEvents } from "../threads/app-events.ts";
import type { StoreUpkeep } from "./store-upkeep.ts";

/** How long to wait after a turn has ended: pages are still reading it, and other turns may end at the same time. */
const PAUSE_MS = 2_000;
/** The shortest pause between two steps, so that other work comes first. */
const SHORTEST_REST_MS = 10;

/** Maintains the database in the background, in steps: after the app has started, and when a turn has ended or a thread was deleted. */
export class BackgroundUpkeep {
	readonly #upkeep: Pick<StoreUpkeep, "step" | "again">;
	readonly #fault: (error: unknown) => void;
	#timer: NodeJS.Timeout | undefined;
	#isOpen = false;

	constructor(upkeep: Pick<StoreUpkeep, "step" | "again">, events: AppEvents, fault: (error: unknown) => void) {
		this.#upkeep = upkeep;
		this.#fault = fault;
		events.on("threadWritten", ({ before, after }) => {
			const hasEnded = before?.pendingTurnId !== undefined && after?.pendingTurnId === undefined;
			if (hasEnded || after === undefined) this.#wake();
		});
	}

	begin(): void {
		this.#isOpen = true;
		this.#wake();
	}

	close(): void {
		this.#isOpen = false;
		clearTimeout(this.#timer);
	}

	#wake(): void {
		this.#upkeep.again();
		if (this.#isOpen) this.#timer ??= setTimeout(() => this.#step(), PAUSE_MS).unref();
	}

	#step(): void {
		this.#timer = undefined;
		const begin = performance.now();
		try {
			if (!this.#upkeep.step()) return;
		} catch (error) {
			// The step is tried again after the next turn or deletion.
			this.#fault(error);
			return;
		}
		const rest = Math.max(SHORTEST_REST_MS, 2 * (performance.now() - begin));
		this.#timer = setTimeout(() => this.#step(), rest).unref();
	}
}
