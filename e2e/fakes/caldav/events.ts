const DAY_MS = 86_400_000;

/** The UID of a calendar that has one event with a start; undefined for anything else. */
export function uidOf(text: string): string | undefined {
	const lines = unfolded(text);
	if (lines[0] !== "BEGIN:VCALENDAR" || lines.at(-1) !== "END:VCALENDAR" || !lines.includes("BEGIN:VEVENT")) return undefined;
	const uids = new Set(lines.filter((line) => line.startsWith("UID:")).map((line) => line.slice(4)));
	const [uid] = uids;
	return uids.size === 1 && lines.some((line) => line.startsWith("DTSTART")) ? uid : undefined;
}

/**
 * Whether an event overlaps a time range (RFC 4791, section 9.9). Of a repeating one only the first start and UNTIL are looked at, so more
 * may be found than a server that expands rules would find.
 */
export function mayOverlap(text: string, from: string, to: string): boolean {
	const lines = unfolded(text);
	const begin = lines.indexOf("BEGIN:VEVENT");
	const event = lines.slice(begin, lines.indexOf("END:VEVENT"));
	const startLine = event.find((line) => line.startsWith("DTSTART")) ?? "";
	const endLine = event.find((line) => line.startsWith("DTEND"));
	const rule = event.find((line) => line.startsWith("RRULE"));
	const start = instant(startLine);
	const end = endLine === undefined ? start + (startLine.includes("VALUE=DATE:") ? DAY_MS : 0) : instant(endLine);
	const range = { from: instant(`:${from}`), to: instant(`:${to}`) };
	if (rule !== undefined) {
		const until = /UNTIL=(\w+)/.exec(rule)?.[1];
		return start < range.to && (until === undefined || instant(`:${until}`) + DAY_MS > range.from);
	}
	return start < range.to && (end > range.from || (start === end && start >= range.from));
}

function unfolded(text: string): string[] {
	return text
		.replace(/\r?\n[ \t]/g, "")
		.trimEnd()
		.split(/\r?\n/);
}

function instant(line: string): number {
	const [, year, month, day, hour = "00", minute = "00", second = "00"] =
		/:(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?Z?$/.exec(line) ?? [];
	const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
	const zone = /TZID=([^;:]+)/.exec(line)?.[1];
	// A zone that only the calendar itself defines is taken for UTC.
	if (zone === undefined || Number.isNaN(wall) || !Intl.supportedValuesOf("timeZone").includes(zone)) return wall;
	const shown = new Date(wall).toLocaleString("sv-SE", { timeZone: zone });
	return wall - (Date.parse(`${shown.replace(" ", "T")}Z`) - wall);
}
