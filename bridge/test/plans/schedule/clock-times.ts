const MINUTE = 60_000;

interface Shown {
	readonly at: number;
	/** Minutes of the day. */
	readonly minutes: number;
	/** `2027-03-14`. */
	readonly day: string;
}

/** What the rules of the schedule give for `minute hour * * *`, found by reading the zone's clock at every minute. */
export function clockTimes(minute: string, hour: string, timezone: string, after: number, until: number): number[] {
	const minutes = listOf(minute, 59);
	const hours = listOf(hour, 23);
	const isNamed = (shown: Shown) => minutes.has(shown.minutes % 60) && hours.has(Math.floor(shown.minutes / 60));
	// From a day before, because a first pass may lie before the time that is asked for.
	const clock = readClock(timezone, after - 24 * 60 * MINUTE, until);
	const due = /[*/]/.test(hour) ? clock.filter(isNamed) : [...firstOfEach(clock.filter(isNamed)), ...afterGaps(clock, isNamed)];
	return [...new Set(due.map(({ at }) => at))].filter((at) => at > after && at < until).sort((a, b) => a - b);
}

function firstOfEach(shown: readonly Shown[]): Shown[] {
	const seen = new Set<string>();
	return shown.filter(({ day, minutes }) => {
		const key = `${day} ${minutes}`;
		if (seen.has(key)) return false;
		seen.add(key);
		return true;
	});
}

/** The first minutes after times that the clock skips, where one of these is named. */
function afterGaps(clock: readonly Shown[], isNamed: (shown: Shown) => boolean): Shown[] {
	return clock.filter((shown, index) => {
		const before = clock[index - 1];
		if (before === undefined) return false;
		const skipped = (shown.minutes - before.minutes - 1 + 1_440) % 1_440;
		if (skipped === 0 || skipped > 180) return false;
		return Array.from({ length: skipped }, (_, more) => ({ ...shown, minutes: (before.minutes + 1 + more) % 1_440 })).some(isNamed);
	});
}

function readClock(timezone: string, from: number, until: number): Shown[] {
	const format = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
	const shown: Shown[] = [];
	for (let at = Math.ceil(from / MINUTE) * MINUTE; at < until; at += MINUTE) {
		const [day = "", time = ""] = format.format(at).split(" ");
		const [hours, minutes] = time.split(":").map(Number);
		shown.push({ at, day, minutes: (hours ?? 0) * 60 + (minutes ?? 0) });
	}
	return shown;
}

function listOf(field: string, most: number): ReadonlySet<number> {
	const all = Array.from({ length: most + 1 }, (_, value) => value);
	if (field === "*") return new Set(all);
	if (field.startsWith("*/")) return new Set(all.filter((value) => value % Number(field.slice(2)) === 0));
	const [from, to] = field.split("-").map(Number);
	return new Set(field.includes("-") ? all.filter((value) => value >= (from ?? 0) && value <= (to ?? 0)) : field.split(",").map(Number));
}
