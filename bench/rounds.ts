/** One number for each measure that is compared. */
export type Sample<K extends string> = Readonly<Record<K, number>>;

/** Takes every measure once per round, alternating (A B, A B, ...), so that background load affects all of them equally. */
export async function interleave<K extends string>(
	rounds: number,
	measures: Readonly<Record<K, () => Promise<number>>>,
): Promise<readonly Sample<K>[]> {
	const names = Object.keys(measures) as K[];
	const samples: Sample<K>[] = [];
	for (let round = 0; round < rounds; round++) {
		const sample: Partial<Record<K, number>> = {};
		for (const name of names) sample[name] = await measures[name]();
		samples.push(sample as Sample<K>);
	}
	return samples;
}

/** @throws RangeError for an empty list */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.ceil(sorted.length / 2) - 1];
	if (upper === undefined || lower === undefined) throw new RangeError("there is no median of nothing");
	return (upper + lower) / 2;
}
