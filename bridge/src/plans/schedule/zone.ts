const MINUTE = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** The maximum number of cached formats. There are fewer zones, so further names would only be other spellings of them. */
const MOST_FORMATS = 1_000;

/** The local time of a time zone, as its clocks show it. */
export interface WallTime {
	readonly year: number;
	/** 1 to 12. */
	readonly month: number;
	readonly day: number;
	readonly hour: number;
	readonly minute: number;
	/** 0 is Sunday. */
	readonly weekday: number;
}

/**
 * How far a zone is ahead of UTC at an instant, in milliseconds.
 * @throws RangeError for an unknown zone
 */
export function offsetAt(zone: string, at: number): number {
	const name =
		formatOf(zone)
			.formatToParts(at)
			.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
	const [, sign = "+", hours = "0", minutes = "0", seconds = "0"] = /^GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(name) ?? [];
	const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1_000;
	return sign === "-" ? -ms : ms;
}

/** What the clocks of a zone show at an instant. */
export function wallTime(zone: string, at: number): WallTime {
	return wallTimeWith(offsetAt(zone, at), at);
}

/** What a clock that is `offset` milliseconds ahead of UTC shows. */
export function wallTimeWith(offset: number, at: number): WallTime {
	const date = new Date(at + offset);
	return {
		year: date.getUTCFullYear(),
		month: date.getUTCMonth() + 1,
		day: date.getUTCDate(),
		hour: date.getUTCHours(),
		minute: date.getUTCMinutes(),
		weekday: date.getUTCDay(),
	};
}

/** A time of day, such as `09:05`. */
export function clockWords({ hour, minute }: Pick<WallTime, "hour" | "minute">): string {
	return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function formatOf(zone: string): Intl.DateTimeFormat {
	const known = formats.get(zone);
	if (known !== undefined) return known;
	const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
	if (formats.size < MOST_FORMATS) formats.set(zone, made);
	return made;
}
