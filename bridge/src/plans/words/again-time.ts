import { clockMeanings } from "./clock-meanings.ts";
import { type Clock, WEEKDAYS, type When } from "./plan-form.ts";
import { namesHalf, namesMonth, namesNumber, namesUnit, namesWorkdays, readTimeWords } from "./time-words.ts";

type Again = Extract<When, { kind: "every" | "pace" }>;

/** The cron expression of words such as `every weekday at 9`, or a text that says why there is none. */
export function againTime(when: Again, words: string): { readonly cron: string } | string {
	return when.kind === "pace" ? paceTime(when, words) : dayTime(when, words);
}

function paceTime({ amount, unit }: Extract<Again, { kind: "pace" }>, words: string): { readonly cron: string } | string {
	const { digits, days } = readTimeWords(words);
	const unread = `“${words.slice(0, 200)}” can't be read as an interval`;
	const isNamed = (amount === 1 || namesNumber(words, amount)) && namesUnit(words, unit) && digits.every((digit) => digit === amount);
	if (!isNamed || days.length > 0 || namesHalf(words)) return unread;
	const isHours = unit === "hours" || amount % 60 === 0;
	const count = isHours && unit === "minutes" ? amount / 60 : amount;
	if (isHours && count === 24) return `“${words.slice(0, 200)}” doesn't name a time of day`;
	if ((isHours ? 24 : 60) % count !== 0)
		return `A plan can't run every ${amount} ${unit}: the interval has to divide the ${isHours ? "day" : "hour"} evenly`;
	const step = count === 1 ? "*" : `*/${count}`;
	return { cron: isHours ? `0 ${step} * * *` : `${step} * * * *` };
}

function dayTime({ days, clock }: Extract<Again, { kind: "every" }>, words: string): { readonly cron: string } | string {
	if (clock === undefined) return `“${words.slice(0, 200)}” doesn't name a time of day`;
	const fields = dayFields(days, words);
	if (fields === undefined) return `It isn't clear which days “${words.slice(0, 200)}” means`;
	const date = typeof days === "object" && "dayOfMonth" in days ? { month: days.dayOfMonth, day: days.dayOfMonth } : undefined;
	const meanings = clockMeanings(clock, words, date);
	if (typeof meanings === "string") return meanings;
	const [meant] = meanings;
	if (meant === undefined || (meanings.length > 1 && meant.hour < 7))
		return `Is ${clockWords(clock)} in the morning or in the afternoon? Say am or pm`;
	return { cron: `${meant.minute} ${meant.hour} ${fields}` };
}

function clockWords({ hour, minute }: Clock): string {
	return minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, "0")}`;
}

/** The day, month and weekday fields of an expression, if the words name these days. */
function dayFields(days: Extract<Again, { kind: "every" }>["days"], words: string): string | undefined {
	const named = readTimeWords(words).days;
	if (days === "weekday") return named.length === 0 && namesWorkdays(words) ? "* * 1-5" : undefined;
	if (days === "day")
		return named.length === 0 && !namesWorkdays(words) && !namesMonth(words) && !namesUnit(words, "weeks") ? "* * *" : undefined;
	if ("dayOfMonth" in days) return namesMonth(words) && namesNumber(words, days.dayOfMonth) ? `${days.dayOfMonth} * *` : undefined;
	const given = [...new Set(days)];
	if (given.length !== named.length || !given.every((day) => named.includes(day))) return undefined;
	return `* * ${given
		.map((day) => WEEKDAYS.indexOf(day))
		.sort((a, b) => a - b)
		.join(",")}`;
}
