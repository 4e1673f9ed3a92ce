import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type AccountFailure,
	afterFailure,
	afterSuccess,
	afterUse,
	type Known,
	nothingKnown,
	usableFrom,
} from "../../src/auth/cooldown.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** The waits after failures in a row, each made as soon as the account may be used. */
function waitsOf(failure: AccountFailure, count: number): number[] {
	const waits: number[] = [];
	let [known, now]: [Known, number] = [nothingKnown, START];
	for (let failures = 0; failures < count; failures++) {
		known = afterFailure(known, failure, now);
		const until = usableFrom(known, now) ?? now;
		waits.push(until - now);
		now = until;
	}
	return waits;
}

describe("[T1-79] an account that failed", () => {
	it("that is limited cools for 30 seconds, then twice as long each time, at most an hour", () => {
		expect(waitsOf({ reason: "rate_limited" }, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600].map((s) => s * SECOND));
	});

	it("that is rejected cools for ten minutes to an hour", () => {
		expect(waitsOf({ reason: "auth" }, 5)).toEqual([10, 20, 40, 60, 60].map((m) => m * MINUTE));
	});

	it("that is out of credit cools for ten minutes to a day, and is tried once an hour", () => {
		expect(waitsOf({ reason: "billing" }, 6)).toEqual([10, 20, 40, 60, 60, 60].map((m) => m * MINUTE));
		let [known, now]: [Known, number] = [nothingKnown, START];
		for (let failures = 0; failures < 12; failures++) {
			now = usableFrom(known, now) ?? now;
			known = afterFailure(known, { reason: "billing" }, now);
		}
		expect(Date.parse(known.until ?? "") - now).toBe(24 * HOUR);
		const later = now + HOUR;
		expect(usableFrom(known, later - 1)).toBe(later);
		expect(usableFrom(known, later)).toBeUndefined();
		// One run has it now.
		expect(usableFrom(afterUse(known, later), later + 1)).toBe(later + HOUR);
	});

	it.for([
		[5 * MINUTE, 5 * MINUTE],
		[Number.POSITIVE_INFINITY, HOUR],
		[9e15, HOUR],
		[0, SECOND],
		[Number.NaN, 30 * SECOND],
		[-1, 30 * SECOND],
		[Number.NEGATIVE_INFINITY, 30 * SECOND],
	])("believes a reset time of %d ms for at most an hour: %d ms", ([retryAfterMs, wait], { expect }) => {
		expect(waitsOf({ reason: "rate_limited", retryAfterMs }, 1)).toEqual([wait]);
	});

	it("ten requests that fail at the same time count as one", () => {
		let known: Known = nothingKnown;
		for (let request = 0; request < 10; request++) known = afterFailure(known, { reason: "rate_limited" }, START + request);
		expect(known.failures).toBe(1);
		expect(usableFrom(known, START)).toBeLessThanOrEqual(START + 31 * SECOND);
	});

	it("is ready after a success, and fails as if for the first time", () => {
		const known = afterSuccess(afterFailure(afterFailure(nothingKnown, { reason: "auth" }, START), { reason: "auth" }, START + HOUR));
		expect(usableFrom(known, START)).toBeUndefined();
		expect(usableFrom(afterFailure(known, { reason: "auth" }, START), START)).toBe(START + 10 * MINUTE);
	});

	it("is not left alone for ever when the clock is set back", () => {
		for (const reason of ["rate_limited", "auth", "billing"] as const) {
			const known = afterFailure(nothingKnown, { reason }, START);
			expect(usableFrom(known, START - 400 * 24 * HOUR)).toBeUndefined();
		}
	});
});

const event = fc.record({
	kind: fc.constantFrom<(AccountFailure["reason"] | "success" | "use")[]>("rate_limited", "auth", "billing", "success", "use"),
	retryAfterMs: fc.option(fc.oneof(fc.double(), fc.integer({ min: 0, max: 2 * HOUR })), { nil: undefined }),
	/** The clock goes either way. */
	after: fc.oneof(fc.integer({ min: 0, max: 2 * HOUR }), fc.integer({ min: -400 * 24 * HOUR, max: 400 * 24 * HOUR })),
});

describe("whatever fails, and whenever", () => {
	it("an account is usable again within an hour of its use or failure", () => {
		const property = fc.property(fc.array(event, { maxLength: 60 }), (events) => {
			let [known, now]: [Known, number] = [nothingKnown, START];
			for (const { kind, retryAfterMs, after } of events) {
				now += after;
				if (kind === "success") known = afterSuccess(known);
				else if (kind === "use") known = afterUse(known, now);
				else known = afterFailure(known, { reason: kind, retryAfterMs }, now);
				const until = usableFrom(known, now);
				if (until !== undefined) {
					expect(until).toBeGreaterThan(now);
					expect(until - now).toBeLessThanOrEqual(HOUR);
					expect(usableFrom(known, until)).toBeUndefined();
				}
				if (kind === "success") expect(until).toBeUndefined();
				if (kind !== "success" && kind !== "use") expect(until).toBeDefined();
			}
		});
		fc.assert(property, { numRuns: 500 });
	});
});
