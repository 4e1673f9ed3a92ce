import type { RunId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import { type FrameForm, type RunFrames, shownUnparsed } from "../../../ports/runs/run-frames.ts";
import { shownRun } from "../rows/shown.ts";

/** How many events one read may return, so that it blocks the event loop for less than a millisecond. */
const MOST_EVENTS = 128;
/** How many bytes of stored texts one read may return, unless a single event is larger. */
const MOST_BYTES = 64 * 1024;

type Range = { readonly runId: RunId; readonly after: number; readonly last: number };
type FramesRow = [bytes: Buffer | null, lastSeq: number | null, firstOther: number | null];

/**
 * Reads events as frames that SQLite assembles: one step and one buffer for a hundred events, whose texts never become strings. Undefined
 * if the next event cannot be shown unparsed, or if there is none.
 */
export function createFrameReader(db: Database): (runId: RunId, afterSeq: number, form: FrameForm) => RunFrames | undefined {
	const ofRun = `FROM event WHERE run = ${shownRun("@runId")} AND seq > @after AND seq <= @last`;
	// The size of a text is in the header of its row, so large texts are not read for this.
	const size = db.prepare<[Range], number | null>(`SELECT sum(octet_length(body)) ${ofRun}`).pluck();
	// SQLite keeps the order of a subquery under group_concat, and the index provides it. An ORDER BY in the aggregate would sort again.
	const frames = db
		.prepare<[Range & FrameForm], FramesRow>(
			`SELECT CAST(group_concat(frame, '') AS BLOB), max(seq), min(CASE WHEN frame IS NULL THEN seq END)
			FROM (SELECT seq, ${frameSql()} AS frame ${ofRun} ORDER BY seq)`,
		)
		.raw();

	return (runId, after, form) => {
		let events = MOST_EVENTS;
		while (events > 1 && (size.get({ runId, after, last: after + events }) ?? 0) > MOST_BYTES) events /= 2;
		const read = (last: number): FramesRow => frames.get({ ...form, runId, after, last }) ?? [null, null, null];
		const page = read(after + events);
		const [, , firstOther] = page;
		if (firstOther === after + 1) return undefined;
		const [bytes, lastSeq] = firstOther === null ? page : read(firstOther - 1);
		return bytes === null || lastSeq === null ? undefined : { bytes, lastSeq };
	};
}

/** The frame of an event that can be shown unparsed. NULL for any other event, which leaves it out of the result. */
function frameSql(): string {
	const start = "@beforeId, seq, @beforeSeq, seq, @beforeAt, at, @beforeStatus, status, @beforeUpdate";
	const cases = shownUnparsed.map(({ stored, shown }) => {
		const rest = `substr(body, ${stored.length + 1}, length(body) - ${stored.length + 1})`;
		return `WHEN ${beginsWith(stored)} THEN concat(${start}, ${literal(shown)}, ${rest}, @end)`;
	});
	return `CASE ${cases.join(" ")} END`;
}

function beginsWith(stored: string): string {
	return `substr(body, 1, ${stored.length}) = ${literal(stored)}`;
}

function literal(text: string): string {
	return `'${text.replaceAll("'", "''")}'`;
}
