import { cronFields, valuesOf } from "./cron-fields.ts";
import { clockWords, offsetAt, wallTimeWith } from "./zone.ts";

const MINUTE = 60_000;
/** Longer than any clock change. */
const SOON = 180 * MINUTE;

/** A note about how a clock change affects a time of an expression that names hours; undefined if no change affects it. */
export function clockNote(cron: string, timezone: string, at: number): string | undefined {
	return movedNote(cron, timezone, at) ?? doubledNote(timezone, at);
}

/** The note if the clocks skip the named time. */
function movedNote(cron: string, timezone: string, at: number): string | undefined {
	const before = offsetAt(timezone, at - 1);
	const ahead = offsetAt(timezone, at);
	if (ahead <= before) return undefined;
	const now = wallTimeWith(ahead, at);
	if (names(cron, now)) return undefined;
	return `Clocks go from ${clockWords(wallTimeWith(before, at))} to ${clockWords(now)} that day, so the plan runs at ${clockWords(now)}.`;
}

/** The note if the clocks show the time twice. */
function doubledNote(timezone: string, at: number): string | undefined {
	const before = offsetAt(timezone, at);
	const back = before - offsetAt(timezone, at + SOON);
	// Clocks that are set back by `back` show the same time again exactly that much later.
	if (back <= 0 || offsetAt(timezone, at + back) !== before - back) return undefined;
	return `Clocks go back that day and show ${clockWords(wallTimeWith(before, at))} twice. The plan runs the first time.`;
}

function names(cron: string, { hour, minute }: { readonly hour: number; readonly minute: number }): boolean {
	const fields = cronFields(cron);
	if (fields === undefined) return false;
	return valuesOf(fields.hour, "hour")?.includes(hour) === true && valuesOf(fields.minute, "minute")?.includes(minute) === true;
}
