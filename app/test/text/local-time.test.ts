import { expect, it } from "vitest";
import { localTime, messageInLocalTime, withLocalTimes } from "../../src/text/local-time.ts";

/** A time of this computer's calendar. */
const at = (...parts: readonly [number, number, number, number, number]) => new Date(...parts).toISOString();
const now = new Date(2026, 10, 25, 12, 0).getTime();

it.each([
	[at(2026, 10, 25, 9, 5), "09:05"],
	[at(2026, 10, 25, 23, 59), "23:59"],
	[at(2026, 10, 27, 14, 30), "Fri 14:30"],
	[at(2026, 10, 22, 14, 30), "Sun 14:30"],
	// A weekday alone would be taken for the nearest one.
	[at(2026, 11, 25, 8, 0), "25 Dec 08:00"],
	[at(2025, 10, 1, 8, 0), "1 Nov 2025 08:00"],
])("%s is %s", (timestamp, words) => {
	expect(localTime(timestamp, now)).toBe(words);
});

it("is how the bridge's times are shown in its words, wherever they stand", () => {
	const words = `unavailable until ${at(2026, 10, 25, 13, 0)}: a is rate limited until ${at(2026, 10, 27, 14, 30)}.`;
	expect(withLocalTimes(words, now)).toBe("unavailable until 13:00: a is rate limited until Fri 14:30.");
	expect(withLocalTimes("2026-11-25 and v1.000Z stay", now)).toBe("2026-11-25 and v1.000Z stay");
});

it("is how the bridge's message about an expired account says when, but no message of an agent", () => {
	const message = `anthropic:work expired (${at(2026, 10, 25, 9, 5)}).`;
	expect(messageInLocalTime("CREDENTIAL_EXPIRED", message, now)).toBe("anthropic:work expired (09:05).");
	expect(messageInLocalTime("PROVIDER_ERROR", message, now)).toBe(message);
});
