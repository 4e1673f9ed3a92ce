import type { z } from "zod";
import type { LoggedEvent, RunEvent } from "../../../ports/run-event.ts";
import type { RunRecord } from "../../../ports/run-record.ts";
import { StoreError } from "../../store-error.ts";

/** A row of `event`. */
export interface EventRow {
	readonly seq: number;
	readonly at: LoggedEvent["at"];
	/** The table restricts it to the closed set. */
	readonly status: LoggedEvent["status"];
	readonly body: string;
}

/** Decodes a stored record of the contract and validates it. @throws StoreError STORE_CORRUPT */
export function decodeRecord<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
	return decodeRow(schema, parse(body));
}

/** Decodes a stored row and validates it. @throws StoreError STORE_CORRUPT */
export function decodeRow<Schema extends z.ZodType>(schema: Schema, row: unknown): z.output<Schema> {
	const result = schema.safeParse(row);
	if (!result.success) throw new StoreError("STORE_CORRUPT", "A stored record is malformed.", { cause: result.error });
	return result.data;
}

export function decodeEvent(row: EventRow): LoggedEvent {
	return { seq: row.seq, at: row.at, status: row.status, event: ownRecord<RunEvent>(row.body) };
}

export function decodeRun(body: string): RunRecord {
	return ownRecord<RunRecord>(body);
}

// The only unvalidated reads: only this program writes events and intents, from these same types, into rows that never change, and
// validation would make a replay of thousands slow.
function ownRecord<T extends object>(body: string): T {
	return parse(body) as T;
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch (error) {
		throw new StoreError("STORE_CORRUPT", "A stored record is not JSON.", { cause: error });
	}
}
