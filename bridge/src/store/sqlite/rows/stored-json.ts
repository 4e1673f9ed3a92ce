import type { LoggedEvent, RunEvent } from "../../../ports/runs/run-event.ts";
import { StoreError } from "../../store-error.ts";

/** A row of `event`. */
export interface EventRow {
	readonly seq: number;
	readonly at: LoggedEvent["at"];
	/** A CHECK constraint of the table allows only these values. */
	readonly status: LoggedEvent["status"];
	readonly body: string;
}

/** A row whose record is selected as `body`. */
export interface RecordRow {
	readonly body: string;
}

/**
 * Decodes a stored record. It is not checked against its schema, because only this program writes records, from these same types, and a
 * check would cost more than the read (bridge/test/store/stored-records.test.ts checks what is written).
 *
 * @throws StoreError STORE_CORRUPT
 */
export function decodeRecord<T extends object>(body: string): T {
	return parse(body) as T;
}

export function decodeRow<T extends object>(row: RecordRow | undefined): T | undefined {
	return row === undefined ? undefined : decodeRecord<T>(row.body);
}

export function decodeEvent(row: EventRow): LoggedEvent {
	return { seq: row.seq, at: row.at, status: row.status, event: decodeRecord<RunEvent>(row.body) };
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch (error) {
		throw new StoreError("STORE_CORRUPT", "A stored record is not JSON.", { cause: error });
	}
}
