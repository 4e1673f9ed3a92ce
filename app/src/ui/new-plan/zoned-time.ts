const own = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });
const zoned = new Map<string, Intl.DateTimeFormat>();

/**
 * A time as it reads in a time zone, "Thu 22 Oct, 02:30", and on this computer, "Thu 07:30". For an unknown zone, this computer's zone is
 * used.
 */
export function zonedTime(at: string, timeZone: string): { readonly there: string; readonly here: string } {
	const date = new Date(at);
	return { there: formatIn(timeZone).format(date), here: own.format(date) };
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
	const known = zoned.get(timeZone);
	if (known !== undefined) return known;
	const made = create(timeZone);
	zoned.set(timeZone, made);
	return made;
}

function create(timeZone: string): Intl.DateTimeFormat {
	const parts = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
	try {
		return new Intl.DateTimeFormat("en-GB", { ...parts, timeZone });
	} catch {
		return new Intl.DateTimeFormat("en-GB", parts);
	}
}
