import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../../../src/providers/assistant/models/exchange/retry-after.ts";

const now = Date.parse("2026-11-23T12:00:00Z");
const week = 7 * 24 * 60 * 60 * 1_000;

describe("how long a server asks to wait", () => {
	it.each<readonly [string, number | undefined]>([
		["7", 7_000],
		[" 7 ", 7_000],
		["0.5", 500],
		["0", 0],
		["Mon, 23 Nov 2026 12:01:00 GMT", 60_000],
		["Mon, 23 Nov 2026 11:59:00 GMT", undefined],
		["-5", undefined],
		["NaN", undefined],
		["Infinity", undefined],
		["1e9", undefined],
		["99999999999999999999", week],
		["Mon, 23 Nov 9999 12:00:00 GMT", week],
		["", undefined],
		["soon", undefined],
		["may 5", undefined],
		["0x10", undefined],
	])("%s", (said, expected) => {
		expect(retryAfterMs(new Headers({ "retry-after": said }), now)).toBe(expected);
	});

	it("is told in milliseconds by some", () => {
		expect(retryAfterMs(new Headers({ "retry-after-ms": "250", "retry-after": "9" }), now)).toBe(250);
		expect(retryAfterMs(new Headers({ "retry-after-ms": "-1", "retry-after": "9" }), now)).toBe(9_000);
		expect(retryAfterMs(new Headers(), now)).toBeUndefined();
	});
});
