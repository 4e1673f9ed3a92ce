import type { Clock } from "../../ports/clock.ts";
import type { LiveRun } from "./live-run.ts";

/** The shortest delay between two checks of a run that waits for the user. */
const LOOK_AGAIN_MS = 1_000;

/** The longest single wait, and so the most of a run's time that a sleep of the machine can use up. */
const LONGEST_WAIT_MS = 30_000;

/** A call that comes this much too late was held up by a sleep of the machine, or its clock was set. */
const LATE_MS = 5_000;

interface Wait {
	/** Milliseconds since the epoch. */
	readonly until: number;
	/** The run's deadline when the wait began. */
	readonly deadlineAt: string;
	/** How long the run had been waiting for the user by then. */
	readonly askedForMs: number;
}

/**
 * Watches a run's deadline, which is paused while the run waits for the user. The time for which the machine slept is given back: the
 * deadline is moved by it. When the timer fires, it reads the deadline again, because it may have been extended.
 */
export class Deadline implements Disposable {
	readonly #run: LiveRun;
	readonly #clock: Clock;
	readonly #passed: () => void;
	#wait: Wait | undefined;
	#timer: Disposable | undefined;

	constructor(run: LiveRun, clock: Clock, passed: () => void) {
		this.#run = run;
		this.#clock = clock;
		this.#passed = passed;
		this.#arm();
	}

	/** Brings the deadline of a run that was asked to stop forward. */
	shorten(): void {
		this.#giveBackSleep();
		this.#run.dispatch({ type: "shorten_deadline" });
		this.#arm();
	}

	[Symbol.dispose](): void {
		this.#timer?.[Symbol.dispose]();
	}

	#arm(): void {
		const { deadlineAt } = this.#run.state;
		if (deadlineAt !== undefined) this.#lookAt(Date.parse(deadlineAt), deadlineAt);
	}

	#lookAt(time: number, deadlineAt: string): void {
		this[Symbol.dispose]();
		const now = this.#clock.now();
		// A deadline that passed while no bridge ran is not time that the machine slept.
		const until = Math.max(now, Math.min(time, now + LONGEST_WAIT_MS));
		const { waitingSince } = this.#run.state;
		this.#wait = { until, deadlineAt, askedForMs: waitingSince === undefined ? 0 : now - Date.parse(waitingSince) };
		this.#timer = this.#clock.at(until, () => this.#look());
	}

	#look(): void {
		this.#giveBackSleep();
		const { deadlineAt, pendingApprovals, waitingSince } = this.#run.state;
		if (deadlineAt === undefined) return;
		if (pendingApprovals.length > 0) {
			// The approval's own expiry limits this wait, and its outcome extends the deadline: then the run has as long as when it asked.
			const leftMs = waitingSince === undefined ? 0 : Date.parse(deadlineAt) - Date.parse(waitingSince);
			this.#lookAt(this.#clock.now() + Math.max(leftMs, LOOK_AGAIN_MS), deadlineAt);
			return;
		}
		if (Date.parse(deadlineAt) > this.#clock.now()) this.#arm();
		else this.#passed();
	}

	/**
	 * The time since the user was asked is given back with the answer, also the part that the machine slept; what an answer has given back
	 * during this wait is not given back again.
	 */
	#giveBackSleep(): void {
		if (this.#wait === undefined) return;
		const { deadlineAt, waitingSince } = this.#run.state;
		if (deadlineAt === undefined) return;
		const lateMs = (waitingSince === undefined ? this.#clock.now() : Date.parse(waitingSince)) - this.#wait.until;
		const extendedMs = Math.max(0, Date.parse(deadlineAt) - Date.parse(this.#wait.deadlineAt) - this.#wait.askedForMs);
		this.#wait = undefined;
		const milliseconds = lateMs - extendedMs;
		if (milliseconds > LATE_MS) this.#run.dispatch({ type: "give_back", milliseconds });
	}
}
