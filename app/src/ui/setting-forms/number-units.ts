export type NumberUnit = "ms" | "s" | "min" | "h" | "days" | "bytes" | "kB" | "MB" | "GB";

interface Step {
	readonly unit: NumberUnit;
	readonly size: number;
}

const steps: Readonly<Record<"ms" | "bytes", readonly Step[]>> = {
	ms: [
		{ unit: "days", size: 86_400_000 },
		{ unit: "h", size: 3_600_000 },
		{ unit: "min", size: 60_000 },
		{ unit: "s", size: 1_000 },
		{ unit: "ms", size: 1 },
	],
	bytes: [
		{ unit: "GB", size: 1e9 },
		{ unit: "MB", size: 1e6 },
		{ unit: "kB", size: 1e3 },
		{ unit: "bytes", size: 1 },
	],
};

/** The units of a measure, the largest first. */
export function unitsOf(measure: "ms" | "bytes"): readonly NumberUnit[] {
	return steps[measure].map(({ unit }) => unit);
}

/**
 * A value in the largest unit in which it is a whole number. For sizes, which are often powers of two, it is the largest unit in which the
 * number is at least 1.
 */
export function inUnit(value: number, measure: "ms" | "bytes"): { readonly text: string; readonly unit: NumberUnit } {
	const fits = ({ size }: Step) => (measure === "ms" ? value % size === 0 && value > 0 : value >= size);
	const { unit, size } = steps[measure].find(fits) ?? { unit: measure, size: 1 };
	return { text: String(Number((value / size).toFixed(3))), unit };
}

/** The number of milliseconds or bytes, as a whole number; undefined for text that is not a number. */
export function fromUnit(text: string, unit: NumberUnit): number | undefined {
	if (!/^\d{1,15}(?:[.,]\d{1,6})?$/.test(text.trim())) return undefined;
	const { size = 1 } = [...steps.ms, ...steps.bytes].find((step) => step.unit === unit) ?? {};
	return Math.round(Number(text.trim().replace(",", ".")) * size);
}
