import { median, type Sample } from "./rounds.ts";

/** For the ratio, for what the measured adds to its baseline, or for the measured itself. */
export type Aim =
	| { readonly atMost: number }
	| { readonly atLeast: number }
	| { readonly atMostMore: number }
	| { readonly measuredAtMost: number };

export interface Result {
	readonly name: string;
	readonly unit: string;
	/** A description of `baseline`. */
	readonly against: string;
	/** Medians over the rounds. */
	readonly baseline: number;
	readonly measured: number;
	/** Median of the ratios of each round: the machine's speed varies more between rounds than within one. */
	readonly ratio: number;
	readonly aim: Aim | null;
	readonly met: boolean | null;
}

export interface Comparison<K extends string> {
	readonly name: string;
	readonly unit: string;
	readonly against: string;
	readonly baseline: K;
	readonly measured: K;
	/** Factor for the measured values, e.g. 1/50 for one of fifty updates. */
	readonly scale?: number;
	readonly aim?: Aim;
}

/** Compares one measure with its baseline over all rounds. */
export function compare<K extends string>(samples: readonly Sample<K>[], comparison: Comparison<K>): Result {
	const { name, unit, against, scale = 1, aim = null } = comparison;
	const ratio = round(median(samples.map((sample) => (sample[comparison.measured] * scale) / sample[comparison.baseline])));
	const baseline = round(median(samples.map((sample) => sample[comparison.baseline])));
	const measured = round(median(samples.map((sample) => sample[comparison.measured] * scale)));
	return { name, unit, against, baseline, measured, ratio, aim, met: aim === null ? null : isMet(aim, { baseline, measured, ratio }) };
}

function isMet(aim: Aim, { baseline, measured, ratio }: Pick<Result, "baseline" | "measured" | "ratio">): boolean {
	if ("atMost" in aim) return ratio <= aim.atMost;
	if ("atLeast" in aim) return ratio >= aim.atLeast;
	return "atMostMore" in aim ? measured - baseline <= aim.atMostMore : measured <= aim.measuredAtMost;
}

/** Rounds to three significant digits, because more would be noise. */
function round(value: number): number {
	return Number(value.toPrecision(3));
}
