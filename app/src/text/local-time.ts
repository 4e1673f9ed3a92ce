/** Times by the clock of the computer that shows them. Pure except for its time zone. */

const weekday = new Intl.DateTimeFormat("en", { weekday: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const NEAR_MS = 6 * 86_400_000;

/** "09:42" on the day of `now`; otherwise "Thu 10:42" within six days, "12 Nov 10:42", or "12 Nov 2024 10:42". */
export function localTime(timestamp: string, now: number): string {
	const date = new Date(timestamp);
	const today = new Date(now);
	const clock = `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
	if (date.toDateString() === today.toDateString()) return clock;
	if (Math.abs(now - date.getTime()) < NEAR_MS) return `${weekday.format(date)} ${clock}`;
	return `${(date.getFullYear() === today.getFullYear() ? day : dayOfYear).format(date)} ${clock}`;
}

/** A day in a sentence: "12 Nov 2024". */
export function localDay(ms: number): string {
	return dayOfYear.format(ms);
}

/**
 * Converts the times in a text to local time. Some of the bridge's messages contain a time in UTC, because the bridge does not know the
 * reader's time zone: when an account expired or can be used again, until when a recipient can be written to, or when Discord refused a
 * request.
 */
export function withLocalTimes(words: string, now: number): string {
	return words.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (at) => localTime(at, now));
}

/** The codes whose messages come from the bridge and may contain such times. */
const codesWithTimes: ReadonlySet<string> = new Set([
	"PROVIDER_LIMITED",
	"PROVIDER_AUTH_REQUIRED",
	"CREDENTIAL_EXPIRED",
	"WINDOW_CLOSED",
	"DISCORD_PERMISSION_MISSING",
]);

/** The message of a code, with its times in local time. Messages of other codes are left unchanged. */
export function messageInLocalTime<T extends string | undefined>(code: string | undefined, message: T, now: number): T | string {
	return message !== undefined && code !== undefined && codesWithTimes.has(code) ? withLocalTimes(message, now) : message;
}
