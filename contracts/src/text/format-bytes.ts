const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** A size for people: "0 B", "6.1 kB", "84 MB". Powers of 1000; at most three digits, except above 999 TB. Pure. */
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

/** A size and the limit that it exceeds, for people: in bytes if both would read the same otherwise. Pure. */
export function formatExcess(bytes: number, limit: number): readonly [size: string, limit: string] {
	const [size, most] = [formatBytes(bytes), formatBytes(limit)];
	return bytes > limit && size === most ? [`${bytes} bytes`, `${limit} bytes`] : [size, most];
}

function rounded(value: number): number {
	return value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
}
