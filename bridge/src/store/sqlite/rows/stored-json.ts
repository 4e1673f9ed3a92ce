import type { z } from "zod";
import type { LoggedEvent, RunEvent } from "../../../ports/run-event.ts";
import type { RunRecord } from "../../../ports/run-record.ts";
import { StoreError } from "../../store-error.ts";

/** A row of `event`. */
export interface EventRow {
	readonly seq: number;
	readonly at: LoggedEvent["at"];
	/** Held to the closed set by the table. */
	readonly status: LoggedEvent["status"];
	readonly body: string;
}

/** Reads a record of the contract back, checked by its schema. @throws StoreError STORE_CORRUPT */
export function decodeRecord<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
	return decodeRow(schema, parse(body));
}

/** Reads a row back, checked by its schema. @throws StoreError STORE_CORRUPT */
export function decodeRow<Schema extends z.ZodType>(schema: Schema, row: unknown): z.output<Schema> {
	const result = schema.safeParse(row);
	if (!result.success) throw new StoreError("STORE_CORRUPT", "A stored record is malformed.", { cause: result.error });
	return result.data;
}

/** Reads an event back. */
export function decodeEvent(row: EventRow): LoggedEvent {
	return { seq: row.seq, at: row.at, status: row.status, event: ownRecord<RunEvent>(row.body) };
}

/** Reads an intent back. */
export function decodeRun(body: string): RunRecord {
	return ownRecord<RunRecord>(body);
}

// The one place that believes the disk: events and intents are written by this program alone, from these
// very types, into rows that never change; a replay of thousands must not pay for a schema.
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
