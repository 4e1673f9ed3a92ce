import type { Clock } from "../../src/ports/clock.ts";

interface Alarm {
	time: number;
	readonly act: () => void;
}

/** A clock that the test moves. */
export class FakeClock implements Clock {
	readonly #alarms = new Set<Alarm>();
	#now: number;

	constructor(now = Date.parse("2026-01-01T00:00:00.000Z")) {
		this.#now = now;
	}

	/** How many calls are still to be made. */
	get pending(): number {
		return this.#alarms.size;
	}

	now(): number {
		return this.#now;
	}

	at(time: number, act: () => void): Disposable {
		const alarm = { time, act };
		this.#alarms.add(alarm);
		return { [Symbol.dispose]: () => void this.#alarms.delete(alarm) };
	}

	/** Lets this much time pass; what is due acts in its order, each at its own time. */
	advance(milliseconds: number): void {
		const end = this.#now + milliseconds;
		for (let next = this.#due(end); next !== undefined; next = this.#due(end)) {
			this.#alarms.delete(next);
			this.#now = Math.max(this.#now, next.time);
			next.act();
		}
		this.#now = end;
	}

	/** The wall clock is set, or the machine wakes from its sleep: what is due by then acts late. Set back, what is to come waits as long as before. */
	set(time: number): void {
		const back = Math.max(this.#now - time, 0);
		for (const alarm of this.#alarms) alarm.time -= back;
		this.#now = time;
		this.advance(0);
	}

	#due(end: number): Alarm | undefined {
		return [...this.#alarms].filter(({ time }) => time <= end).toSorted((a, b) => a.time - b.time)[0];
	}
}
