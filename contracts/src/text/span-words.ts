/** A duration in the units that its length calls for: `0.25 s`, `7 s`, `4 min`, `1 min 58 s`, `1 h 5 min`. Pure. */
export function spanWords(milliseconds: number): string {
	// A time limit may be below one second. Rounded to whole seconds, it would read as no time at all.
	if (milliseconds > 0 && milliseconds < 1_000) return `${Number((milliseconds / 1_000).toPrecision(2))} s`;
	const seconds = Math.max(0, Math.round(milliseconds / 1_000));
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	return minutes < 60 ? inTwo(minutes, "min", seconds % 60, "s") : inTwo(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function inTwo(most: number, unit: string, rest: number, smaller: string): string {
	return rest === 0 ? `${most} ${unit}` : `${most} ${unit} ${rest} ${smaller}`;
}
