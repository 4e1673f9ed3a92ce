import { ToolFailed } from "@xworkmate/tool";

/** A whole day, or an instant with the time zone that it is shown in (UTC if it has none). */
export type Time =
	| { readonly kind: "day"; readonly day: string }
	| { readonly kind: "instant"; readonly ms: number; readonly zone?: string | undefined };

export const DAY_MS = 86_400_000;
const TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * `2026-05-04` is a day. `2026-05-04T10:00:00+02:00` and `2026-05-04T08:00:00Z` are instants; `2026-05-04T10:00` is one in the given zone.
 * @throws ToolFailed for a time that is not there, or there twice, because clocks are changed
 */
export function parseTime(text: string, zone?: string): Time {
	const [, day = "", clock, offset] = TIME.exec(text) ?? [];
	const midnight = Date.parse(`${day}T00:00:00Z`);
	if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) throw new ToolFailed(`"${text}" is not a date or time.`);
	if (clock === undefined) return { kind: "day", day };
	const ms = Date.parse(`${day}T${clock}${offset ?? "Z"}`);
	if (Number.isNaN(ms)) throw new ToolFailed(`"${text}" is not a date or time.`);
	if (offset !== undefined) return { kind: "instant", ms, ...(zone === undefined ? {} : { zone: knownZone(zone) }) };
	if (zone === undefined) throw new ToolFailed(`"${text}" has no time zone. Add timeZone, as in Europe/Berlin, or an offset.`);
	const [first, second] = instantsOf(ms, zone);
	if (first === undefined) throw new ToolFailed(`${text} does not exist in ${zone}: clocks are put forward then.`);
	if (second !== undefined) throw new ToolFailed(`${text} happens twice in ${zone}: clocks are put back then. Add an offset.`);
	return { kind: "instant", ms: first, zone };
}

/** As `parseTime` reads it: with the offset of its zone at that time. */
export function formatTime(time: Time): string {
	if (time.kind === "day") return time.day;
	const offset = time.zone === undefined ? 0 : offsetAt(time.ms, time.zone);
	const wall = new Date(time.ms + offset).toISOString().slice(0, 19);
	if (time.zone === undefined) return `${wall}Z`;
	const minutes = Math.abs(offset) / 60_000;
	const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
	return `${wall}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** For people: `2026-05-04 10:00 (UTC+02:00)`. Changes only the form, so that it never fails. */
export function spokenTime(text: string, zone?: string): string {
	const [, day, clock, offset] = TIME.exec(text) ?? [];
	if (day === undefined) return text;
	if (clock === undefined) return `${day} (whole day)`;
	const place = offset === undefined ? zone : offset === "Z" ? "UTC" : `UTC${offset}`;
	return `${day} ${clock}${place === undefined ? "" : ` (${place})`}`;
}

export function isSameTime(one: Time, other: Time): boolean {
	if (one.kind === "day") return other.kind === "day" && one.day === other.day;
	return other.kind === "instant" && one.ms === other.ms;
}

export function dayAfter(day: string, days = 1): string {
	return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The instants at which clocks in the zone show this wall time (given as if it were UTC): none, one, or two. */
function instantsOf(wallMs: number, zone: string): number[] {
	const offsets = new Set([offsetAt(wallMs - DAY_MS, zone), offsetAt(wallMs + DAY_MS, zone)]);
	return [...offsets]
		.map((offset) => wallMs - offset)
		.filter((ms) => ms + offsetAt(ms, zone) === wallMs)
		.sort((one, other) => one - other);
}

/** As iCalendar has it for an event in a zone: the first of two, and the time before the change where there is none. */
export function instantOf(wallMs: number, zone: string): number {
	return instantsOf(wallMs, zone)[0] ?? wallMs - offsetAt(wallMs - DAY_MS, zone);
}

/** What clocks in the zone show at an instant, as if it were UTC. */
export function wallOf(ms: number, zone: string): number {
	return ms + offsetAt(ms, zone);
}

/** @throws ToolFailed for a name that is not in the time zone database */
export function knownZone(zone: string): string {
	formatOf(zone);
	return zone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
	const known = formats.get(zone);
	if (known !== undefined) return known;
	try {
		const format = new Intl.DateTimeFormat("en-US", {
			timeZone: zone,
			hourCycle: "h23",
			year: "numeric",
			month: "numeric",
			day: "numeric",
			hour: "numeric",
			minute: "numeric",
			second: "numeric",
		});
		formats.set(zone, format);
		return format;
	} catch {
		throw new ToolFailed(`The time zone "${zone}" is not known. Use a name like Europe/Berlin.`);
	}
}

function offsetAt(ms: number, zone: string): number {
	const parts = Object.fromEntries(
		formatOf(zone)
			.formatToParts(ms)
			.map(({ type, value }) => [type, Number(value)]),
	);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
	return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
}
