import { ToolFailed } from "@xworkmate/tool";
import { type Component, escapeText, type Line, newLine, unescapeText } from "./ics.ts";
import { DAY_MS, dayAfter, instantOf, knownZone, type Time } from "./time.ts";

/** An event of a calendar; for a repeating one, its first time. */
export interface Event {
	readonly id: string;
	readonly title: string;
	readonly start: Time;
	/** The first moment after it; for whole days, the day after the last. */
	readonly end: Time;
	readonly location: string;
	/** The rule of a repeating event. */
	readonly repeats?: string;
	/** Times that a repeating event leaves out. */
	readonly except: readonly Time[];
	/** Set if it takes the place of one time of a repeating event. */
	readonly replaces?: Time;
	readonly isCancelled: boolean;
}

export interface NewEvent {
	readonly id: string;
	readonly title: string;
	readonly start: Time;
	readonly end: Time;
	readonly location?: string | undefined;
	readonly notes?: string | undefined;
}

/** Written into an event that a call has moved, so that a second attempt of that call finds it done. */
const MOVED_BY = "X-XWORKMATE-MOVED-BY";

/** @throws ToolFailed with words for what this reader does not know */
export function readEvent(component: Component): Event {
	const start = timeOf(required(component, "DTSTART"));
	if (lineOf(component, "RDATE") !== undefined) throw new ToolFailed("It repeats on single dates (RDATE), which is not supported.");
	const rule = component.lines.filter(({ name }) => name === "RRULE");
	if (rule.length > 1) throw new ToolFailed("It has several repeat rules, which is not supported.");
	const replaces = lineOf(component, "RECURRENCE-ID");
	if (replaces?.params.RANGE !== undefined) throw new ToolFailed("It changes a repeating event from one time on, which is not supported.");
	return {
		id: uidOf(component),
		title: textOf(component, "SUMMARY"),
		start,
		end: endOf(component, start),
		location: textOf(component, "LOCATION"),
		...(rule[0] === undefined ? {} : { repeats: rule[0].value.toUpperCase() }),
		except: component.lines
			.filter(({ name }) => name === "EXDATE")
			.flatMap((line) => line.value.split(",").map((value) => timeOf({ ...line, value }))),
		...(replaces === undefined ? {} : { replaces: timeOf(replaces) }),
		isCancelled: lineOf(component, "STATUS")?.value.toUpperCase() === "CANCELLED",
	};
}

export function uidOf(component: Component): string {
	return required(component, "UID").value;
}

export function titleOf(component: Component): string {
	return textOf(component, "SUMMARY");
}

export function wasMovedBy(component: Component, key: string): boolean {
	return lineOf(component, MOVED_BY)?.value === key;
}

/** Times are written in UTC: for an event that does not repeat it is the same instant, and every calendar understands it. */
export function newEvent({ id, title, start, end, location, notes }: NewEvent, now: Date): Component {
	const texts = Object.entries({ SUMMARY: title, LOCATION: location, DESCRIPTION: notes });
	return {
		name: "VEVENT",
		lines: [
			newLine("UID", id),
			newLine("DTSTAMP", utc(now.getTime())),
			timeLine("DTSTART", start),
			timeLine("DTEND", end),
			...texts.flatMap(([name, text]) => (text === undefined ? [] : [newLine(name, escapeText(text))])),
		],
		parts: [],
	};
}

/** All lines that are not about the time stay as they were. */
export function movedEvent(
	component: Component,
	move: { readonly start: Time; readonly end: Time; readonly key: string },
	now: Date,
): Component {
	const replaced = new Set(["DTSTART", "DTEND", "DURATION", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", MOVED_BY]);
	const sequence = Number(lineOf(component, "SEQUENCE")?.value ?? 0) + 1;
	return {
		...component,
		lines: [
			...component.lines.filter(({ name }) => !replaced.has(name)),
			timeLine("DTSTART", move.start),
			timeLine("DTEND", move.end),
			newLine("DTSTAMP", utc(now.getTime())),
			newLine("LAST-MODIFIED", utc(now.getTime())),
			newLine("SEQUENCE", String(Number.isSafeInteger(sequence) ? sequence : 1)),
			newLine(MOVED_BY, move.key),
		],
	};
}

function timeOf({ params, value, name }: Line): Time {
	const [, year, month, day, hour, minute, second, utcMark] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(value) ?? [];
	if (year === undefined) throw new ToolFailed(`Its ${name} is not a time: ${value.slice(0, 40)}`);
	if (hour === undefined) return { kind: "day", day: `${year}-${month}-${day}` };
	const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
	if (Number.isNaN(wall)) throw new ToolFailed(`Its ${name} is not a time: ${value}`);
	if (utcMark !== undefined) return { kind: "instant", ms: wall };
	const zone = params.TZID;
	if (zone === undefined) throw new ToolFailed("It has no time zone, so its time depends on where it is looked at.");
	return { kind: "instant", ms: instantOf(wall, knownZone(zone)), zone };
}

function endOf(component: Component, start: Time): Time {
	const end = lineOf(component, "DTEND");
	if (end !== undefined) {
		const time = timeOf(end);
		if (time.kind !== start.kind) throw new ToolFailed("It begins with a time and ends with a day, or the other way round.");
		return time;
	}
	const duration = durationOf(lineOf(component, "DURATION")?.value);
	if (start.kind === "instant") return { ...start, ms: start.ms + duration };
	return { kind: "day", day: dayAfter(start.day, Math.max(1, Math.round(duration / DAY_MS))) };
}

function durationOf(text: string | undefined): number {
	if (text === undefined) return 0;
	const found = /^\+?P(?:(\d{1,4})W|(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?)$/.exec(text);
	if (found === null) throw new ToolFailed(`Its duration is not understood: ${text.slice(0, 40)}`);
	const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
	return (weeks * 7 + days) * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

function timeLine(name: string, time: Time): Line {
	if (time.kind === "instant") return newLine(name, utc(time.ms));
	const value = time.day.replaceAll("-", "");
	return { name, params: { VALUE: "DATE" }, value, text: `${name};VALUE=DATE:${value}` };
}

/** `20260504T080000Z` */
function utc(ms: number): string {
	return `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

function textOf(component: Component, name: string): string {
	return unescapeText(lineOf(component, name)?.value ?? "");
}

function lineOf({ lines }: Component, name: string): Line | undefined {
	return lines.find((line) => line.name === name);
}

function required(component: Component, name: string): Line {
	const line = lineOf(component, name);
	if (line === undefined) throw new ToolFailed(`It has no ${name}.`);
	return line;
}
