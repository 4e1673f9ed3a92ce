const nicknames: ReadonlyMap<string, string> = new Map([
	["@yearly", "0 0 1 1 *"],
	["@annually", "0 0 1 1 *"],
	["@monthly", "0 0 1 * *"],
	["@weekly", "0 0 * * 0"],
	["@daily", "0 0 * * *"],
	["@midnight", "0 0 * * *"],
	["@hourly", "0 * * * *"],
]);
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** One part of a field, in lower case: `*`, `?`, `5`, `1-5` or `mon-fri`, with or without a step. */
const PART = /^(?:(\*|\?)|([0-9a-z]{1,3})(?:-([0-9a-z]{1,3}))?)(?:\/([0-9]{1,2}))?$/;

/** A cron expression, split into its fields. Each field is as written, but in lower case. */
export interface CronFields {
	readonly minute: string;
	readonly hour: string;
	readonly day: string;
	readonly month: string;
	readonly weekday: string;
}

/** The five fields of an expression or nickname; undefined if there are not five. */
export function cronFields(cron: string): CronFields | undefined {
	const written = cron.trim().toLowerCase();
	const [minute, hour, day, month, weekday, ...more] = (nicknames.get(written) ?? written).split(/\s+/);
	if (minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined) return undefined;
	return more.length === 0 ? { minute, hour, day, month, weekday } : undefined;
}

/** True if a field is `*` or `?`, or has a step, instead of naming values. */
export function runsOn(field: string): boolean {
	return /[*?/]/.test(field);
}

/** True if a field is `*` or `?`, which match every value. */
export function isEvery(field: string): boolean {
	return field === "*" || field === "?";
}

/** The values of a field, in ascending order; undefined if the field has marks such as `L` or `#`, or is not valid. */
export function valuesOf(field: string, kind: keyof CronFields): readonly number[] | undefined {
	const values = new Set<number>();
	for (const part of field.split(",")) {
		const range = rangeOf(part, kind);
		if (range === undefined) return undefined;
		// Sunday is both 0 and 7.
		for (let value = range.from; value <= range.to; value += range.step) values.add(kind === "weekday" ? value % 7 : value);
	}
	return [...values].sort((a, b) => a - b);
}

const bounds = {
	minute: { least: 0, most: 59, end: 59 },
	hour: { least: 0, most: 23, end: 23 },
	day: { least: 1, most: 31, end: 31 },
	month: { least: 1, most: 12, end: 12 },
	// `*` ends at Saturday, although 7 is allowed.
	weekday: { least: 0, most: 7, end: 6 },
} as const satisfies Record<keyof CronFields, { least: number; most: number; end: number }>;

function rangeOf(part: string, kind: keyof CronFields): { readonly from: number; readonly to: number; readonly step: number } | undefined {
	const { least, most, end } = bounds[kind];
	const [whole, star, first, last, steps] = PART.exec(part) ?? [];
	if (whole === undefined) return undefined;
	const from = star === undefined ? numberOf(first, kind) : least;
	const to = star === undefined ? numberOf(last ?? first, kind) : end;
	const step = steps === undefined ? 1 : Number(steps);
	if (from === undefined || to === undefined || step < 1 || from < least || to > most || from > to) return undefined;
	// A step needs a range: `5/10` is not valid.
	return star === undefined && last === undefined && steps !== undefined ? undefined : { from, to, step };
}

function numberOf(text: string | undefined, kind: keyof CronFields): number | undefined {
	if (text === undefined) return undefined;
	if (/^[0-9]+$/.test(text)) return Number(text);
	const names = kind === "month" ? MONTHS : kind === "weekday" ? DAYS : [];
	const index = names.indexOf(text);
	return index === -1 ? undefined : index + (kind === "month" ? 1 : 0);
}
