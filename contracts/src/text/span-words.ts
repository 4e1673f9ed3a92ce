/** A duration in the units that its length calls for: `7 s`, `4 min`, `1 min 58 s`, `1 h 5 min`. Pure. */
export function spanWords(milliseconds: number): string {
	const seconds = Math.max(0, Math.round(milliseconds / 1_000));
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	return minutes < 60 ? inTwo(minutes, "min", seconds % 60, "s") : inTwo(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function inTwo(most: number, unit: string, rest: number, smaller: string): string {
	return rest === 0 ? `${most} ${unit}` : `${most} ${unit} ${rest} ${smaller}`;
}
