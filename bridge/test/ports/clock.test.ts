import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/ports/clock.ts";

const MINUTE = 60_000;
const DAY_MS = 24 * 60 * MINUTE;

describe("an appointment with the clock", () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
	afterEach(() => void vi.useRealTimers());

	const appointment = (time: number) => {
		const acted: number[] = [];
		const timer = systemClock.at(time, () => acted.push(Date.now()));
		return { acted, timer };
	};

	it.each([1, 29_999, 30_000, 30_001, DAY_MS])("is kept to the millisecond, %d ms ahead", (ahead) => {
		const time = Date.now() + ahead;
		const { acted } = appointment(time);
		vi.advanceTimersByTime(ahead - 1);
		expect(acted).toEqual([]);
		vi.advanceTimersByTime(DAY_MS);
		expect(acted).toEqual([time]);
	});

	it("is kept soon when its time has passed, but not at once", () => {
		const { acted } = appointment(Date.now() - DAY_MS);
		expect(acted).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(acted).toHaveLength(1);
	});

	it("is not kept once it is disposed of, also after a long time", () => {
		const { acted, timer } = appointment(Date.now() + 2 * DAY_MS);
		vi.advanceTimersByTime(DAY_MS);
		timer[Symbol.dispose]();
		vi.advanceTimersByTime(2 * DAY_MS);
		expect(acted).toEqual([]);
	});

	it("is not put off by a clock that is set back", () => {
		const { acted } = appointment(Date.now() + DAY_MS);
		vi.setSystemTime(Date.now() - 365 * DAY_MS);
		vi.advanceTimersByTime(DAY_MS);
		expect(acted).toHaveLength(1);
	});

	// Setting the time moves the clock without its timers, as a sleep of the machine does.
	it("is kept within 30 s of the end of a sleep in which it was due", () => {
		const time = Date.now() + 15 * MINUTE;
		const { acted } = appointment(time);
		vi.advanceTimersByTime(10 * MINUTE);
		vi.setSystemTime(time + DAY_MS);
		vi.advanceTimersByTime(30_000);
		expect(acted).toHaveLength(1);
	});

	it("is kept to the millisecond after a sleep that ended before it was due", () => {
		const time = Date.now() + 15 * MINUTE;
		const { acted } = appointment(time);
		vi.setSystemTime(time - MINUTE);
		vi.advanceTimersByTime(MINUTE - 1);
		expect(acted).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(acted).toEqual([time]);
	});

	it("is not brought forward by a clock that is set forward and back again", () => {
		const { acted } = appointment(Date.now() + 15 * MINUTE);
		vi.setSystemTime(Date.now() + 10 * MINUTE);
		vi.advanceTimersByTime(MINUTE);
		vi.setSystemTime(Date.now() - 10 * MINUTE);
		vi.advanceTimersByTime(14 * MINUTE - 1);
		expect(acted).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(acted).toHaveLength(1);
	});
});
