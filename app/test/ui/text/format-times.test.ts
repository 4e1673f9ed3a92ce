import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatTime, formatWhen } from "../../../src/ui/text/format.ts";

/** By this computer's clock, as the page shows times. */
const local = (text: string) => new Date(text).toISOString();
const NOW = new Date("2026-11-12T09:31:00").getTime();

describe("times for people", () => {
	beforeEach(() => vi.useFakeTimers({ now: NOW }));
	afterEach(() => vi.useRealTimers());

	it.each([
		["2026-11-12T08:05:59", "08:05"],
		["2026-11-12T23:59:59", "23:59"],
		["2026-11-11T23:59:59", "Wed 23:59"],
		["2026-11-13T00:00:00", "Fri 00:00"],
		["2026-10-30T09:31:00", "30 Oct 09:31"],
		["2025-11-12T09:31:00", "12 Nov 2025 09:31"],
	])("%s is said with its day, unless it is today's: %s", (at, said) => {
		expect(formatTime(local(at))).toBe(said);
	});

	it.each([
		["2026-11-12T08:05:59", "08:05"],
		["2026-11-11T23:59:59", "Wed"],
		["2026-10-30T09:31:00", "30 Oct"],
		["2025-11-12T09:31:00", "12 Nov 2025"],
	])("%s is short in a list: %s", (at, said) => {
		expect(formatWhen(local(at), NOW)).toBe(said);
	});
});
