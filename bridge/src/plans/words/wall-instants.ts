import { offsetAt, type WallTime } from "../schedule/zone.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

/** A local date and time, not yet resolved to instants. Because of clock changes, it may match none or two. */
export type ClockTime = Omit<WallTime, "weekday">;

/**
 * The instants at which a zone's clocks show a time: one, two if the clocks are set back over it, none if they skip it. Milliseconds since
 * the epoch, in ascending order.
 */
export function instantsOf(zone: string, time: ClockTime): readonly number[] {
	const utc = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute);
	const offsets = new Set([offsetAt(zone, utc - DAY), offsetAt(zone, utc), offsetAt(zone, utc + DAY)]);
	return [...offsets]
		.map((offset) => ({ at: utc - offset, offset }))
		.filter(({ at, offset }) => offsetAt(zone, at) === offset)
		.map(({ at }) => at)
		.sort((a, b) => a - b);
}

/** The first instant after a time that the clocks skip. */
export function afterGap(zone: string, time: ClockTime): number {
	const utc = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute);
	const before = offsetAt(zone, utc - DAY);
	let from = utc - DAY - before;
	let to = utc + DAY - before;
	while (to - from > MINUTE) {
		const middle = Math.floor((from + to) / 2 / MINUTE) * MINUTE;
		if (offsetAt(zone, middle) === before) from = middle;
		else to = middle;
	}
	return to;
}

/** The date that is `days` days after another. */
export function dayAfter(
	{ year, month, day }: Pick<ClockTime, "year" | "month" | "day">,
	days: number,
): Pick<ClockTime, "year" | "month" | "day"> {
	const date = new Date(Date.UTC(year, month - 1, day + days));
	return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
