import { afterAwake, type Clock } from "../../ports/clock.ts";
import type { LiveRun } from "./live-run.ts";

/** The delay between two checks of a run that waits for the user. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Watches a run's deadline, which is paused while the run waits for the user, and while the machine sleeps. When the timer fires, it reads
 * the deadline again, because it may have been extended.
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

	/** Reads the deadline again. To be called after the deadline has been brought forward. */
	arm(): void {
		this[Symbol.dispose]();
		const { deadlineAt } = this.#run.state;
		if (deadlineAt !== undefined) this.#lookAt(Date.parse(deadlineAt));
	}

	[Symbol.dispose](): void {
		this.#timer?.[Symbol.dispose]();
	}

	#lookAt(time: number): void {
		this.#timer = afterAwake(this.#clock, time - this.#clock.now(), () => this.#look());
	}

	#look(): void {
		const { deadlineAt, pendingApprovals } = this.#run.state;
		if (deadlineAt === undefined) return;
		if (pendingApprovals.length > 0) {
			// The approval's own expiry limits this wait, and its outcome extends the deadline.
			this.#lookAt(this.#clock.now() + LOOK_AGAIN_MS);
			return;
		}
		if (Date.parse(deadlineAt) > this.#clock.now()) this.arm();
		else this.#passed();
	}
}
