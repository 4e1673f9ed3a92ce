/** A span for a user: `4 s`, `2 min 05 s`, `3 h 12 min`. */
export function duration(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, "0")} s`;
	return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** A size for a user, in powers of 1000: `12 B`, `1.5 MB`. */
export function byteSize(bytes: number): string {
	let value = bytes;
	let unit = 0;
	while (value >= 1000 && unit < UNITS.length - 1) {
		value /= 1000;
		unit++;
	}
	const text = unit === 0 ? String(value) : value.toFixed(value < 10 ? 1 : 0);
	return `${text} ${UNITS[unit] ?? "B"}`;
}
