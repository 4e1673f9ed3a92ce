import { type CalendarDay, type NamedDay, WEEKDAYS } from "./plan-form.ts";
import { namesMonthOf, namesNumber, readTimeWords } from "./time-words.ts";
import { type ClockTime, dayAfter } from "./wall-instants.ts";

type Day = Pick<ClockTime, "year" | "month" | "day">;

/** The days that words can mean, the earliest first. If there are none, a text that says why. `today`: with its weekday, 0 for Sunday. */
export function dayMeanings(
	day: NamedDay | CalendarDay | undefined,
	words: string,
	today: Day & { readonly weekday: number },
): readonly Day[] | string {
	const { days, isNext } = readTimeWords(words);
	const other = `It isn't clear which day “${words.slice(0, 200)}” means`;
	if (typeof day === "object") return days.every(isWeekday) ? calendarDay(day, words, today) : other;
	if (day === undefined) return days.length === 0 ? [dayAfter(today, 0)] : other;
	if (days.length !== 1 || days[0] !== day) return other;
	if (day === "today") return [dayAfter(today, 0)];
	if (day === "tomorrow") return [dayAfter(today, 1)];
	if (day === "day_after_tomorrow") return [dayAfter(today, 2)];
	const ahead = (WEEKDAYS.indexOf(day) - today.weekday + 7) % 7;
	// The name of today's weekday means today or a week from now. With "next", any weekday may be the coming one or the one after.
	return ahead === 0 || isNext ? [dayAfter(today, ahead), dayAfter(today, ahead + 7)] : [dayAfter(today, ahead)];
}

function isWeekday(day: NamedDay): boolean {
	return WEEKDAYS.some((each) => each === day);
}

function calendarDay({ year, month, day }: CalendarDay, words: string, today: Day): readonly Day[] | string {
	const isNamed = namesNumber(words, day) && namesMonthOf(words, month) && (year === undefined || namesNumber(words, year));
	if (!isNamed) return `“${words.slice(0, 200)}” can't be read as a date`;
	// 3/4 is a day in March or in April.
	if (isTurned(words, month, day)) return "Say which of the two numbers is the month";
	const isOver = month < today.month || (month === today.month && day < today.day);
	const meant = { year: year ?? (isOver ? today.year + 1 : today.year), month, day };
	const exists = dayAfter(meant, 0);
	return exists.month === month && exists.day === day ? [meant] : "There is no such day";
}

function isTurned(words: string, month: number, day: number): boolean {
	if (day > 12 || day === month) return false;
	return /(?<!\d)\d{1,2}[/]\d{1,2}(?![/]?\d{3})/.test(words) || /(?<!\d)\d{1,2}[/]\d{1,2}[/]\d{2,4}/.test(words);
}
