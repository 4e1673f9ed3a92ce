import type { CalendarDay, Clock } from "./plan-form.ts";
import { namesHalf, namesMidnight, namesNoon, namesNumber, readTimeWords } from "./time-words.ts";

/** The clock times that words can mean: `at 9` is 9:00 or 21:00, and `at 12` is 12:00 or 0:00. If there is none, a text that says why. */
export function clockMeanings({ hour, minute }: Clock, words: string, date?: CalendarDay): readonly Clock[] | string {
	const { digits, half, isExactClock } = readTimeWords(words);
	const unread = `“${words.slice(0, 200)}” can't be read as a time of day`;
	if (half === "both") return unread;
	if (namesNoon(words) || namesMidnight(words)) {
		const is = namesNoon(words) ? 12 : 0;
		return hour === is && minute === 0 && accounted(digits, [12, 0], date) ? [{ hour: is, minute: 0 }] : unread;
	}
	const spoken = [hour, hour - 12].find((each) => each >= 0 && namesNumber(words, each));
	if (spoken === undefined || (minute !== 0 && !namesNumber(words, minute)) || (minute !== 30 && namesHalf(words))) return unread;
	if (!accounted(digits, [spoken, minute], date)) return unread;
	if (half !== undefined) {
		const is = half === "pm" ? (spoken < 12 ? spoken + 12 : spoken) : spoken === 12 ? 0 : spoken;
		// If the words say which half of the day is meant, a model's hour that contradicts them is refused.
		return is === hour || spoken === hour ? [{ hour: is, minute }] : unread;
	}
	if (spoken !== hour) return unread;
	if (hour > 12 || hour === 0 || isExactClock) return [{ hour, minute }];
	return [
		{ hour, minute },
		{ hour: (hour + 12) % 24, minute },
	].sort((a, b) => (hour === 12 ? b.hour - a.hour : a.hour - b.hour));
}

/** True if the words contain no numbers in digits other than those of the clock time and the date. */
function accounted(digits: readonly number[], clock: readonly number[], date: CalendarDay | undefined): boolean {
	const known = [...clock, ...(date === undefined ? [] : [date.day, date.month, date.year ?? Number.NaN])];
	return digits.every((digit) => known.includes(digit));
}
