import { FakeClock } from "../../ports/fake-clock.ts";

/** Longest delay that a Node timer accepts: a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A clock for a whole bridge: the test moves it, and what is set for a time that has passed acts by itself, as with a real one. */
export class TestClock extends FakeClock {
	/** The longest wait that was asked for, in milliseconds. */
	longestMs = 0;

	override at(time: number, act: () => void): Disposable {
		const waitMs = time - this.now();
		this.longestMs = Math.max(this.longestMs, waitMs);
		if (waitMs > MAX_TIMER_MS) throw new Error(`a timer of ${waitMs} ms would fire at once`);
		const alarm = super.at(time, act);
		if (waitMs <= 0) setImmediate(() => this.advance(0));
		return alarm;
	}
}
