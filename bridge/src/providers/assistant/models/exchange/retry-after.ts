/** A longer wait is implausible, and is shortened to this. The accounts cap waits at much less. */
const MOST_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * How long a server asks to wait, in milliseconds. Its headers state milliseconds, seconds or a date. Undefined if they say nothing usable,
 * or name a time in the past. Pure.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
	const exact = positive(headers.get("retry-after-ms"), 1);
	if (exact !== undefined) return exact;
	const said = headers.get("retry-after")?.trim() ?? "";
	if (said === "") return undefined;
	const seconds = positive(said, 1_000);
	if (seconds !== undefined) return seconds;
	// A number is never a date, although Date.parse reads some numbers as years.
	if (!/[a-z]/i.test(said) || !/\d:\d/.test(said)) return undefined;
	return bounded(Date.parse(said) - now);
}

function positive(said: string | null, unitMs: number): number | undefined {
	return said !== null && /^\s*\d{1,20}(?:\.\d{1,20})?\s*$/.test(said) ? bounded(Number(said) * unitMs) : undefined;
}

function bounded(milliseconds: number): number | undefined {
	return milliseconds >= 0 ? Math.min(Math.ceil(milliseconds), MOST_MS) : undefined;
}
