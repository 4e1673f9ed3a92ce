import { isTimeZone, visibleWithin, zoneWords } from "@xworkmate/contracts";
import { type CronFields, cronFields, isEvery, valuesOf } from "./cron-fields.ts";
import type { ScheduleTerms } from "./schedule.ts";
import { clockWords, wallTime } from "./zone.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
/** The maximum number of times of day, and of days of the month, that are put into words. */
const MOST_TIMES = 4;

/** The days of an expression in words. `at` precedes `at 09:00`; `on` follows `every 15 minutes`. */
interface DayWords {
	readonly at: string;
	readonly on: string;
}

/**
 * When a plan is due, in English: `every weekday at 09:00 (Bangkok)`. Shows the expression itself if it cannot be put into words. Never
 * throws.
 */
export function scheduleWords(terms: ScheduleTerms): string {
	if (terms.type === "immediate") return "once, right away";
	const zone = visibleWithin(zoneWords(terms.timezone), 60);
	if (terms.type === "scheduled") return `${onceWords(terms)} (${zone})`;
	return `${cronWords(terms.cron ?? "") ?? `at the times of the cron expression ${visibleWithin(terms.cron ?? "", 200)}`} (${zone})`;
}

function onceWords({ scheduledFor, timezone }: ScheduleTerms): string {
	const at = Date.parse(scheduledFor ?? "");
	if (Number.isNaN(at) || !isTimeZone(timezone)) return "once";
	const wall = wallTime(timezone, at);
	const day = DAYS[wall.weekday]?.slice(0, 3) ?? "";
	return `once, on ${day} ${wall.day} ${shortMonth(wall.month)} ${wall.year} at ${clockWords(wall)}`;
}

/** A month as the British dates in the app abbreviate it: three letters, but four for Sept. */
export function shortMonth(month: number): string {
	return MONTHS[month - 1]?.slice(0, month === 9 ? 4 : 3) ?? "";
}

function cronWords(cron: string): string | undefined {
	const fields = cronFields(cron);
	const days = fields === undefined ? undefined : dayWords(fields);
	if (fields === undefined || days === undefined) return undefined;
	const times = timesOfDay(fields);
	if (times !== undefined) return `${days.at} at ${listed(times)}`;
	const pace = paceWords(fields);
	return pace === undefined ? undefined : [pace, days.on].filter((part) => part !== "").join(" ");
}

function timesOfDay({ minute, hour }: CronFields): readonly string[] | undefined {
	if (/[*?/]/.test(minute + hour)) return undefined;
	const hours = valuesOf(hour, "hour");
	const minutes = valuesOf(minute, "minute");
	if (hours === undefined || minutes === undefined || hours.length * minutes.length > MOST_TIMES) return undefined;
	return hours.flatMap((one) => minutes.map((other) => clockWords({ hour: one, minute: other })));
}

function paceWords({ minute, hour }: CronFields): string | undefined {
	const every = isEvery(minute) ? 1 : stepOf(minute, 60);
	const hours = valuesOf(hour, "hour");
	if (every !== undefined) {
		const pace = every === 1 ? "every minute" : `every ${every} minutes`;
		if (isEvery(hour)) return pace;
		const range = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(hour);
		const [from, to] = [hours?.[0], hours?.at(-1)];
		if (range === null || from === undefined || to === undefined) return undefined;
		return `${pace} from ${clockWords({ hour: from, minute: 0 })} to ${clockWords({ hour: to, minute: 60 - every })}`;
	}
	const [past, ...others] = valuesOf(minute, "minute") ?? [];
	const step = isEvery(hour) ? 1 : stepOf(hour, 24);
	if (past === undefined || others.length > 0 || step === undefined) return undefined;
	const pace = step === 1 ? "every hour" : `every ${step} hours from ${clockWords({ hour: 0, minute: past })}`;
	return step > 1 || past === 0 ? pace : `${pace} at ${past} ${past === 1 ? "minute" : "minutes"} past`;
}

/** The step of `*`, if it divides the whole: with any other step, the intervals are uneven. */
function stepOf(field: string, whole: number): number | undefined {
	const step = Number(/^\*\/(\d{1,2})$/.exec(field)?.[1]);
	return step > 0 && step < whole && whole % step === 0 ? step : undefined;
}

function dayWords({ day, month, weekday }: CronFields): DayWords | undefined {
	const weekdays = valuesOf(weekday, "weekday");
	if (isEvery(day) && isEvery(month)) return weekdays === undefined ? undefined : weekdayWords(weekdays);
	// A day and a weekday together mean either of them, which no short sentence can express.
	if (!isEvery(weekday)) return undefined;
	if (day === "l" && isEvery(month)) return { at: "on the last day of every month", on: "on the last day of every month" };
	const dates = valuesOf(day, "day");
	const months = valuesOf(month, "month");
	if (dates === undefined || months === undefined || dates.length > MOST_TIMES) return undefined;
	return isEvery(month) ? monthlyWords(dates) : yearlyWords(dates, months);
}

function weekdayWords(days: readonly number[]): DayWords | undefined {
	if (days.length === 7) return { at: "every day", on: "" };
	if (days.join() === "1,2,3,4,5") return { at: "every weekday", on: "on weekdays" };
	// The week begins on Monday.
	const names = [...days].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map((day) => DAYS[day] ?? "");
	return { at: `every ${listed(names)}`, on: `on ${listed(names.map((name) => `${name}s`))}` };
}

function monthlyWords(dates: readonly number[]): DayWords {
	const isShort = dates.some((date) => date > 28);
	const words = `on the ${listed(dates.map(ordinal))} of every month${isShort ? " (if the month has that day)" : ""}`;
	return { at: words, on: words };
}

function yearlyWords([date, ...others]: readonly number[], [month, ...more]: readonly number[]): DayWords | undefined {
	if (date === undefined || month === undefined || others.length > 0 || more.length > 0) return undefined;
	const words = `every ${date === 29 && month === 2 ? "leap year" : "year"} on ${date} ${MONTHS[month - 1]}`;
	return { at: words, on: words };
}

function ordinal(value: number): string {
	const ending = value % 100 > 10 && value % 100 < 14 ? undefined : ["th", "st", "nd", "rd"][value % 10];
	return `${value}${ending ?? "th"}`;
}

function listed(items: readonly string[]): string {
	const last = items.at(-1) ?? "";
	return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
