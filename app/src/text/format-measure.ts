/** Sizes and durations in readable form, the same on the page, in the command and in messages. Pure. */

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** "0 B", "6.1 kB", "84 MB": powers of 1000, at most three digits. */
export function formatBytes(bytes: number): string {
	let value = Math.max(0, bytes);
	let power = 0;
	// 999.6 kB is shown as 1 MB, not 1000 kB.
	while (rounded(value) >= 1000 && power < UNITS.length - 1) {
		value /= 1000;
		power += 1;
	}
	return `${power === 0 ? Math.round(value) : rounded(value)} ${UNITS[power]}`;
}

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

function rounded(value: number): number {
	return value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
}

function parts([first, unit]: readonly [number, string], [rest, restUnit]: readonly [number, string]): string {
	return rest === 0 ? `${first} ${unit}` : `${first} ${unit} ${rest} ${restUnit}`;
}
