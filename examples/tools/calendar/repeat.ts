import { ToolFailed } from "@xworkmate/tool";
import type { Event } from "./event.ts";
import { DAY_MS, instantOf, isSameTime, type Time, wallOf } from "./time.ts";

export interface Range {
	readonly from: number;
	readonly to: number;
}

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const WEEK_MS = 7 * DAY_MS;
const MAX_STEPS = 100_000;

/** The times of an event within a range. A repeating event goes by the clocks of its zone, so an hour stays the same all year. */
export function timesOf(event: Event, range: Range): { readonly start: Time; readonly end: Time }[] {
	const length = momentOf(event.end) - momentOf(event.start);
	if (length < 0) throw new ToolFailed("It ends before it begins.");
	const starts = event.repeats === undefined ? [event.start] : repeated(event, ruleOf(event.repeats), range, length);
	return starts
		.filter((start) => !event.except.some((except) => isSameTime(except, start)))
		.map((start) => ({ start, end: event.repeats === undefined ? event.end : later(start, length) }))
		.filter(({ start, end }) => momentOf(start) < range.to && (momentOf(end) > range.from || momentOf(start) >= range.from));
}

/** For comparing: a day begins at midnight UTC. */
export function momentOf(time: Time): number {
	return time.kind === "day" ? Date.parse(`${time.day}T00:00:00Z`) : time.ms;
}

interface Rule {
	readonly frequency: string;
	readonly interval: number;
	readonly count: number;
	readonly until: string | undefined;
	readonly weekdays: readonly number[];
}

/** @throws ToolFailed for what is not supported */
function ruleOf(text: string): Rule {
	const parts = new Map(text.split(";").map((part): [string, string] => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""]));
	const known = new Set(["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST"]);
	const frequency = parts.get("FREQ") ?? "";
	const interval = Number(parts.get("INTERVAL") ?? 1);
	const weekdays = (parts.get("BYDAY") ?? "").split(",").filter((day) => day !== "");
	const isSupported =
		[...parts.keys()].every((name) => known.has(name)) &&
		["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].includes(frequency) &&
		Number.isSafeInteger(interval) &&
		interval >= 1 &&
		weekdays.every((day) => WEEKDAYS.includes(day)) &&
		(weekdays.length === 0 || frequency === "WEEKLY") &&
		// Which days are one week only matters if weeks are skipped.
		(interval === 1 || frequency !== "WEEKLY" || (parts.get("WKST") ?? "MO") === "MO");
	if (!isSupported) throw new ToolFailed(`It repeats in a way that is not supported: ${text.slice(0, 100)}`);
	return {
		frequency,
		interval,
		count: Number(parts.get("COUNT") ?? Number.POSITIVE_INFINITY),
		until: parts.get("UNTIL"),
		weekdays: weekdays.map((day) => WEEKDAYS.indexOf(day)),
	};
}

function repeated({ start }: Event, rule: Rule, range: Range, length: number): Time[] {
	const zone = start.kind === "instant" ? start.zone : undefined;
	const toWall = (ms: number) => (zone === undefined ? ms : wallOf(ms, zone));
	const first = toWall(momentOf(start));
	const last = lastWall(rule.until, toWall);
	const found: Time[] = [];
	let count = 0;
	for (const wall of walls(first, rule)) {
		count += 1;
		// Zones are at most 14 hours from UTC: outside of a day around the range there is nothing to convert.
		if (wall > last || count > rule.count || wall > range.to + DAY_MS) return found;
		if (wall + length < range.from - DAY_MS) continue;
		if (start.kind === "day") found.push({ kind: "day", day: new Date(wall).toISOString().slice(0, 10) });
		else found.push({ ...start, ms: zone === undefined ? wall : instantOf(wall, zone) });
	}
	return found;
}

/** What clocks show at each time, without an end. */
function* walls(first: number, { frequency, interval, weekdays }: Rule): Generator<number> {
	const date = new Date(first);
	const days = weekdays.length === 0 ? [date.getUTCDay()] : weekdays;
	// Weeks begin on Monday.
	const monday = first - ((date.getUTCDay() + 6) % 7) * DAY_MS;
	const inWeek = days.map((day) => ((day + 6) % 7) * DAY_MS).sort((one, other) => one - other);
	for (let step = 0; step < MAX_STEPS; step++) {
		if (frequency === "DAILY") yield first + step * interval * DAY_MS;
		else if (frequency === "WEEKLY") yield* inWeek.map((day) => monday + step * interval * WEEK_MS + day).filter((wall) => wall >= first);
		else {
			const months = step * interval * (frequency === "YEARLY" ? 12 : 1);
			const next = new Date(first);
			next.setUTCMonth(date.getUTCMonth() + months);
			// A month without this day (31, or 29 February) is left out.
			if (next.getUTCDate() === date.getUTCDate()) yield next.getTime();
		}
	}
	throw new ToolFailed("It repeats too often to be listed.");
}

function lastWall(until: string | undefined, toWall: (ms: number) => number): number {
	if (until === undefined) return Number.POSITIVE_INFINITY;
	const [, year, month, day, clock, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z)?)?$/.exec(until) ?? [];
	const time = clock === undefined ? "23:59:59" : `${clock.slice(0, 2)}:${clock.slice(2, 4)}:${clock.slice(4)}`;
	const ms = Date.parse(`${year}-${month}-${day}T${time}Z`);
	if (Number.isNaN(ms)) throw new ToolFailed(`It repeats until a time that is not understood: ${until.slice(0, 40)}`);
	return utc === undefined ? ms : toWall(ms);
}

function later(start: Time, length: number): Time {
	if (start.kind === "instant") return { ...start, ms: start.ms + length };
	return { kind: "day", day: new Date(momentOf(start) + length).toISOString().slice(0, 10) };
}
