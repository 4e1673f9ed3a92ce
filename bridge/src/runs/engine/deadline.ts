import type { Clock } from "../../ports/clock.ts";
import type { LiveRun } from "./live-run.ts";

/** The shortest delay between two checks of a run that waits for the user. */
const LOOK_AGAIN_MS = 1_000;

/** The longest single wait. If the machine sleeps, the run therefore loses at most this much of its time. */
const LONGEST_WAIT_MS = 30_000;

/** If the timer fires this much too late, the machine slept, or its clock was set. */
const LATE_MS = 5_000;

interface Wait {
	/** Milliseconds since the epoch. */
	readonly until: number;
	/** The run's deadline when the wait began. */
	readonly deadlineAt: string;
	/** How long the run had been waiting for the user when this wait began. */
	readonly askedForMs: number;
}

/**
 * Watches a run's deadline, which is paused while the run waits for the user. If the machine slept, the deadline is moved by that time.
 * When the timer fires, the deadline is read again, because it may have been extended.
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

	/** Moves up the deadline of a run that was asked to stop. */
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
		// The wait begins now at the earliest, because a deadline that passed while no bridge was running is not time in which the machine
		// slept.
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
			// The approval's own expiry limits this wait, and its outcome extends the deadline. The run then has as much time left as when it
			// asked.
			const leftMs = waitingSince === undefined ? 0 : Date.parse(deadlineAt) - Date.parse(waitingSince);
			this.#lookAt(this.#clock.now() + Math.max(leftMs, LOOK_AGAIN_MS), deadlineAt);
			return;
		}
		if (Date.parse(deadlineAt) > this.#clock.now()) this.#arm();
		else this.#passed();
	}

	/**
	 * Gives back the time for which the machine slept. Time since the user was asked is left out, because the answer gives it back, including
	 * sleep. What an answer has already given back during this wait is not given back again.
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
