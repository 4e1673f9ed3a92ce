/** Times as users write and read them in a time zone. Pure except for the runtime's time zone data. */

import { formatSpan } from "./format-measure.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** For a time nearer than this, the time remaining is shown too. */
const SOON_MS = 12 * HOUR_MS;

const DATED = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const TODAY = /^(?:(today|tomorrow)(?: at)? )?(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const ABSOLUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const SPAN = /^(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m(?:in)?)?(?:(\d{1,7})s)?$/;

/** The time zone of this machine, such as `Asia/Bangkok`. */
export function localZone(): string {
	return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Converts `90s`, `1m`, `2h` or `1d12h` to milliseconds; undefined for any other text, and for a duration of zero. */
export function spanOf(text: string): number | undefined {
	const found = SPAN.exec(text.trim().toLowerCase());
	if (found === null) return undefined;
	const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
	const span = days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1_000;
	return span > 0 ? span : undefined;
}

/**
 * Converts `09:00`, `today 09:00`, `tomorrow 09:00`, `2026-11-24 09:00` (in the zone) or an RFC 3339 time to milliseconds since the epoch.
 * A time of day alone means the next such time. Undefined for any other text. A time that a clock change skips means the first moment after
 * the change. If the clock shows a time twice, the first one counts, but for a time of day alone the first one that has not passed.
 */
export function instantOf(text: string, now: number, zone: string): number | undefined {
	const given = text.trim();
	if (ABSOLUTE.test(given)) return finite(Date.parse(given));
	const dated = DATED.exec(given);
	if (dated !== null) {
		const [year, month, day, ...clock] = dated.slice(1).map(Number);
		return wallInstants([year ?? 0, month ?? 0, day ?? 0], clock, zone)[0];
	}
	const today = TODAY.exec(given.toLowerCase());
	if (today === null) return undefined;
	const date = new Date(wallOf(now, zone) + (today[1] === "tomorrow" ? DAY_MS : 0));
	const clock = today.slice(2).map((part) => Number(part ?? 0));
	const on = (day: Date) => wallInstants([day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()], clock, zone);
	const instants = on(date);
	if (today[1] !== undefined || instants.length === 0) return instants[0];
	return instants.find((instant) => instant > now) ?? on(new Date(date.getTime() + DAY_MS))[0];
}

/** A time that `instantOf` moved because a clock change skips it, and what the clock shows before and after the change. */
export interface SkippedTime {
	readonly named: string;
	readonly before: string;
	readonly after: string;
}

/** The time that `instantOf` moved because a clock change skips it; undefined if the text names a time that exists or has a zone. */
export function skippedTime(text: string, now: number, zone: string): SkippedTime | undefined {
	const [, hour = "", minute] = /(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text.trim()) ?? [];
	const at = instantOf(text, now, zone);
	if (at === undefined || minute === undefined || ABSOLUTE.test(text.trim())) return undefined;
	const offset = aheadOf(at - 1_000, zone);
	const shown = { named: `${hour.padStart(2, "0")}:${minute}`, before: clockOf(at + offset), after: clockOf(wallOf(at, zone)) };
	return offset === aheadOf(at, zone) || shown.named === shown.after ? undefined : shown;
}

/**
 * Says that a time without a zone does not exist on its day, and which time replaces it, much as the bridge does for a schedule. Undefined
 * if the time exists.
 */
export function movedTimeNote(text: string, now: number, zone: string): string | undefined {
	const skipped = skippedTime(text, now, zone);
	if (skipped === undefined) return undefined;
	const { named, before, after } = skipped;
	return `There is no ${named} that day in ${zone}: clocks go from ${before} to ${after}, so the plan is due at ${after}.`;
}

/** "14:03", "tomorrow at 09:00", "Mon 30 Nov at 09:00", "Mon 4 Jan 2027 at 09:00". */
export function timeWords(at: number, now: number, zone: string): string {
	const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(at);
	const days = Math.floor(wallOf(at, zone) / DAY_MS) - Math.floor(wallOf(now, zone) / DAY_MS);
	if (days === 0) return clock;
	if (days === 1) return `tomorrow at ${clock}`;
	if (days === -1) return `yesterday at ${clock}`;
	const isThisYear = yearOf(at, zone) === yearOf(now, zone);
	const day = {
		weekday: "short",
		day: "numeric",
		month: "short",
		...(!isThisYear && { year: "numeric" as const }),
		timeZone: zone,
	} as const;
	return `${new Intl.DateTimeFormat("en-GB", day).format(at).replace(",", "")} at ${clock}`;
}

/** "in 40 s, at 14:03", "in 2 h 5 min, at 17:02", "tomorrow at 09:00", "on Mon 30 Nov at 09:00"; "now" for a time that has passed. */
export function dueWords(at: number, now: number, zone: string): string {
	const ahead = at - now;
	if (ahead <= 0) return "now";
	const when = timeWords(at, now, zone);
	const clock = /^\d/.test(when) ? `at ${when}` : when;
	if (ahead < SOON_MS) return `in ${formatSpan(rounded(ahead))}, ${clock}`;
	return /^(?:at|tomorrow)/.test(clock) ? clock : `on ${clock}`;
}

/** A duration to the second below a minute, otherwise to the minute, because the time beside it is to the minute. Never zero. */
function rounded(milliseconds: number): number {
	const unit = milliseconds < 59_500 ? 1_000 : MINUTE_MS;
	return Math.max(unit, Math.round(milliseconds / unit) * unit);
}

/**
 * The instants at which the zone's clock shows a time, in ascending order: two if the clock is set back. If a clock change skips the time,
 * the first moment after the change, as for every other schedule of a plan. None for a time that no clock shows.
 */
function wallInstants([year, month, day]: readonly [number, number, number], clock: readonly number[], zone: string): readonly number[] {
	const [hour = 0, minute = 0, second = 0] = clock.map((part) => (Number.isNaN(part) ? 0 : part));
	const wall = Date.UTC(year, month - 1, day, hour, minute, second);
	// Date.UTC turns 30 February and 25:00 into other times.
	const shown = new Date(wall);
	if (shown.getUTCMonth() !== month - 1 || shown.getUTCDate() !== day || shown.getUTCHours() !== hour || minute > 59 || second > 59)
		return [];
	const before = wall - aheadOf(wall - DAY_MS, zone);
	const after = wall - aheadOf(wall + DAY_MS, zone);
	const found = [...new Set([before, after])].filter((at) => wallOf(at, zone) === wall);
	return found.length === 0 ? [firstAfter(after, before, zone)] : found;
}

/** The first second after the clock change between two instants. */
function firstAfter(from: number, to: number, zone: string): number {
	const offset = aheadOf(from, zone);
	let [early, late] = [from, to];
	while (late - early > 1_000) {
		const middle = Math.floor((early + late) / 2_000) * 1_000;
		if (aheadOf(middle, zone) === offset) early = middle;
		else late = middle;
	}
	return late;
}

/** How far the zone is ahead of UTC at an instant. */
function aheadOf(at: number, zone: string): number {
	return wallOf(at, zone) - at;
}

/** What the zone's clock shows at an instant, to the second, expressed as if it were a time in UTC. */
function wallOf(at: number, zone: string): number {
	const parts = new Intl.DateTimeFormat("en-GB", {
		...({ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const),
		...({ hourCycle: "h23", timeZone: zone } as const),
	}).formatToParts(at);
	const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value ?? 0);
	return Date.UTC(value("year"), value("month") - 1, value("day"), value("hour"), value("minute"), value("second"));
}

function clockOf(wall: number): string {
	return new Date(wall).toISOString().slice(11, 16);
}

function yearOf(at: number, zone: string): number {
	return new Date(wallOf(at, zone)).getUTCFullYear();
}

function finite(at: number): number | undefined {
	return Number.isFinite(at) ? at : undefined;
}
