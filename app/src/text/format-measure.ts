/** Sizes and durations in readable form, the same on the page, in the command and in messages. Pure. */

export { formatBytes } from "@xworkmate/contracts/format-bytes";

/** A duration: "0.3 s", "48 s", "2 min 14 s", "4 min", "1 h 5 min". Parts that are zero are left out. */
export function formatSpan(milliseconds: number): string {
	const tenths = Math.round(Math.max(0, milliseconds) / 100);
	if (tenths < 100) return `${tenths / 10} s`;
	const seconds = Math.round(tenths / 10);
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return parts([minutes, "min"], [seconds % 60, "s"]);
	return parts([Math.floor(minutes / 60), "h"], [minutes % 60, "min"]);
}

/** The duration of a grant as its button shows it: whole minutes, at least one. */
export function wholeMinutes(seconds: number): number {
	return Math.max(1, Math.round(seconds / 60));
}

function parts([first, unit]: readonly [number, string], [rest, restUnit]: readonly [number, string]): string {
	return rest === 0 ? `${first} ${unit}` : `${first} ${unit} ${rest} ${restUnit}`;
}
