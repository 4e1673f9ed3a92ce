import type { Clock } from "../../ports/clock.ts";
import type { LiveRun } from "./live-run.ts";

/** Longest delay that a Node timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Watches a run's deadline. It does not pass while a person is asked; it moves with the log, so
 * the timer looks again whenever it fires and the log says later.
 */
export class Deadline implements Disposable {
	readonly #run: LiveRun;
	readonly #clock: Clock;
	readonly #passed: () => void;
	#timer: NodeJS.Timeout | undefined;

	constructor(run: LiveRun, clock: Clock, passed: () => void) {
		this.#run = run;
		this.#clock = clock;
		this.#passed = passed;
		this.arm();
	}

	/** Looks at the log's deadline again; call after it moved nearer. */
	arm(): void {
		clearTimeout(this.#timer);
		const { deadlineAt } = this.#run.state;
		if (deadlineAt === undefined) return;
		const delay = Date.parse(deadlineAt) - this.#clock.now();
		this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(delay, 0), MAX_TIMER_MS));
	}

	[Symbol.dispose](): void {
		clearTimeout(this.#timer);
	}

	#look(): void {
		const { deadlineAt, pendingApprovals } = this.#run.state;
		if (deadlineAt === undefined) return;
		if (pendingApprovals.length > 0) {
			// The approval's own expiry bounds this; its outcome moves the deadline.
			this.#timer = setTimeout(() => this.#look(), 1_000);
			return;
		}
		if (Date.parse(deadlineAt) > this.#clock.now()) this.arm();
		else this.#passed();
	}
}
