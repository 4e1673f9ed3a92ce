import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/ports/clock.ts";

const DAY_MS = 24 * 60 * 60_000;

describe("an appointment with the clock", () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
	afterEach(() => void vi.useRealTimers());

	const appointment = (time: number) => {
		const acted: number[] = [];
		const timer = systemClock.at(time, () => acted.push(Date.now()));
		return { acted, timer };
	};

	it.each([1, DAY_MS, 24 * DAY_MS, 25 * DAY_MS, 100 * DAY_MS])("is kept to the millisecond, %d ms ahead", (ahead) => {
		const time = Date.now() + ahead;
		const { acted } = appointment(time);
		vi.advanceTimersByTime(ahead - 1);
		expect(acted).toEqual([]);
		vi.advanceTimersByTime(100 * DAY_MS);
		expect(acted).toEqual([time]);
	});

	it("is kept soon when its time has passed, but not at once", () => {
		const { acted } = appointment(Date.now() - DAY_MS);
		expect(acted).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(acted).toHaveLength(1);
	});

	it("is not kept once it is disposed of, also beyond the longest timer", () => {
		const { acted, timer } = appointment(Date.now() + 60 * DAY_MS);
		vi.advanceTimersByTime(30 * DAY_MS);
		timer[Symbol.dispose]();
		vi.advanceTimersByTime(60 * DAY_MS);
		expect(acted).toEqual([]);
	});

	it("is not put off by a clock that is set back", () => {
		const { acted } = appointment(Date.now() + 30 * DAY_MS);
		vi.setSystemTime(Date.now() - 365 * DAY_MS);
		vi.advanceTimersByTime(30 * DAY_MS);
		expect(acted).toHaveLength(1);
	});
});
