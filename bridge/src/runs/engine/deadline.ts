import type { Clock } from "../../ports/clock.ts";
import type { LiveRun } from "./live-run.ts";

/** Between two looks at a run that waits for the user. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Watches a run's deadline. It does not pass while a person is asked; it moves with the log, so
 * the timer looks again whenever it fires and the log says later.
 */
export class Deadline implements Disposable {
	readonly #run: LiveRun;
	readonly #clock: Clock;
	readonly #passed: () => void;
	#timer: Disposable | undefined;

	constructor(run: LiveRun, clock: Clock, passed: () => void) {
		this.#run = run;
		this.#clock = clock;
		this.#passed = passed;
		this.arm();
	}

	/** Looks at the log's deadline again; call after it moved nearer. */
	arm(): void {
		this[Symbol.dispose]();
		const { deadlineAt } = this.#run.state;
		if (deadlineAt !== undefined) this.#lookAt(Date.parse(deadlineAt));
	}

	[Symbol.dispose](): void {
		this.#timer?.[Symbol.dispose]();
	}

	#lookAt(time: number): void {
		this.#timer = this.#clock.at(time, () => this.#look());
	}

	#look(): void {
		const { deadlineAt, pendingApprovals } = this.#run.state;
		if (deadlineAt === undefined) return;
		if (pendingApprovals.length > 0) {
			// The approval's own expiry bounds this; its outcome moves the deadline.
			this.#lookAt(this.#clock.now() + LOOK_AGAIN_MS);
			return;
		}
		if (Date.parse(deadlineAt) > this.#clock.now()) this.arm();
		else this.#passed();
	}
}
