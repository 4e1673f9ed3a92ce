import { formatSpan } from "../../text/format-measure.ts";
import { localTime } from "../../text/local-time.ts";

export { formatBytes, formatSpan } from "../../text/format-measure.ts";

/** The time of a running clock: "0:08", "12:41", "1:02:03". Never negative. */
export function formatClock(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	const minutes = Math.floor(seconds / 60);
	const two = (value: number) => String(value).padStart(2, "0");
	return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Like `formatSpan`, but with milliseconds for very short spans: "34 ms". */
export function formatShort(milliseconds: number): string {
	return milliseconds < 100 ? `${Math.round(milliseconds)} ms` : formatSpan(milliseconds);
}

/** How long a step took; undefined if it would be shown as 0 s, which says nothing. */
export function formatTaken(milliseconds: number): string | undefined {
	return milliseconds < 50 ? undefined : formatSpan(milliseconds);
}

/** A time limit in words: "15 minutes", "1 hour", "1 hour 30 minutes", "45 seconds". */
export function formatLimit(milliseconds: number): string {
	if (milliseconds < 1000) return `${milliseconds / 1000} seconds`;
	const seconds = Math.round(milliseconds / 1000);
	const parts: readonly (readonly [number, string])[] = [
		[Math.floor(seconds / 3600), "hour"],
		[Math.floor(seconds / 60) % 60, "minute"],
		[seconds % 60, "second"],
	];
	const said = parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`]));
	return said.join(" ");
}

/** A time in a sentence or beside a message, as `localTime` writes it: "09:31" today, "Thu 09:31", "12 Nov 09:31". */
export function formatTime(timestamp: string): string {
	return localTime(timestamp, Date.now());
}

function hourAndMinute(timestamp: string): string {
	const date = new Date(timestamp);
	return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/** A time with date and milliseconds, by this computer's clock: "12 Nov 2026, 09:31:04.007". */
export function formatClockTime(timestamp: string): string {
	return exactTime.format(new Date(timestamp));
}

const exactTime = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "short",
	year: "numeric",
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit",
	fractionalSecondDigits: 3,
});

const weekday = new Intl.DateTimeFormat("en", { weekday: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const DAY_MS = 86_400_000;

/**
 * Tells whether a time is on the given day, by this computer's calendar. The day's bounds are computed only once, because a list checks
 * thousands of timestamps.
 */
export function dayOf(now: number): (timestamp: string) => boolean {
	const date = new Date(now);
	const begin = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
	const end = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
	return (timestamp) => {
		const at = Date.parse(timestamp);
		return at >= begin && at < end;
	};
}

/** A time in a list: "09:31" today, "Thu" within six days, "12 Nov", "12 Nov 2024". */
export function formatWhen(timestamp: string, now: number): string {
	if (dayOf(now)(timestamp)) return hourAndMinute(timestamp);
	const date = new Date(timestamp);
	if (now - date.getTime() < 6 * DAY_MS) return weekday.format(date);
	return date.getFullYear() === new Date(now).getFullYear() ? day.format(date) : dayOfYear.format(date);
}

/** A day in a sentence: "12 Nov 2024". */
export function formatDay(timestamp: string): string {
	return dayOfYear.format(new Date(timestamp));
}

/** Like `formatWhen`, but times that would read the same get seconds, "09:31:04" or "12 Nov, 09:31:04", or even milliseconds. */
export function distinctTimes(timestamps: readonly string[], now: number): (timestamp: string) => string {
	const isToday = dayOf(now);
	const seconds = (at: string) => `${isToday(at) ? "" : `${day.format(new Date(at))}, `}${hourAndMinute(at)}:${at.slice(17, 19)}`;
	const forms = [(at: string) => formatWhen(at, now), seconds, formatClockTime];
	return (timestamp) => {
		const isDistinct = (form: (at: string) => string) =>
			timestamps.every((other) => other === timestamp || form(other) !== form(timestamp));
		return (forms.find(isDistinct) ?? formatClockTime)(timestamp);
	};
}

/** A number in short form: "950", "18.2k", "1.3M". */
export function formatCount(value: number): string {
	if (value < 1000) return String(value);
	// 999,950 and more would be rounded to 1000.0k, so they are shown as a million.
	return value < 999_950 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

/** A time to the second, "09:31:04", and separately its milliseconds, ".007". */
export function formatSecond(timestamp: string): { readonly time: string; readonly rest: string } {
	const date = new Date(timestamp);
	const rest = `.${String(date.getMilliseconds()).padStart(3, "0")}`;
	return { time: `${hourAndMinute(timestamp)}:${String(date.getSeconds()).padStart(2, "0")}`, rest };
}
