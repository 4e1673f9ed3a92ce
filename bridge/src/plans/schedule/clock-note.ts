import { cronFields, valuesOf } from "./cron-fields.ts";
import { clockWords, offsetAt, wallTimeWith } from "./zone.ts";

const MINUTE = 60_000;
/** Longer than any clock is set back. */
const SOON = 180 * MINUTE;

/** What a change of the clocks makes of a time of an expression that names hours; undefined where they don't matter. */
export function clockNote(cron: string, timezone: string, at: number): string | undefined {
	return movedNote(cron, timezone, at) ?? doubledNote(timezone, at);
}

/** The clocks skip the time that is named. */
function movedNote(cron: string, timezone: string, at: number): string | undefined {
	const before = offsetAt(timezone, at - 1);
	const ahead = offsetAt(timezone, at);
	if (ahead <= before) return undefined;
	const now = wallTimeWith(ahead, at);
	if (names(cron, now)) return undefined;
	return `Clocks go from ${clockWords(wallTimeWith(before, at))} to ${clockWords(now)} that day, so it runs at ${clockWords(now)}.`;
}

/** The clocks show the time twice. */
function doubledNote(timezone: string, at: number): string | undefined {
	const before = offsetAt(timezone, at);
	const back = before - offsetAt(timezone, at + SOON);
	// The same time again is as much later as the clocks go back.
	if (back <= 0 || offsetAt(timezone, at + back) !== before - back) return undefined;
	return `Clocks go back that day and show ${clockWords(wallTimeWith(before, at))} twice. It runs the first time.`;
}

function names(cron: string, { hour, minute }: { readonly hour: number; readonly minute: number }): boolean {
	const fields = cronFields(cron);
	if (fields === undefined) return false;
	return valuesOf(fields.hour, "hour")?.includes(hour) === true && valuesOf(fields.minute, "minute")?.includes(minute) === true;
}
