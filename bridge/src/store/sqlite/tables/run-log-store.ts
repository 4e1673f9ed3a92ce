import type { Database } from "better-sqlite3";
import type { RunLogStore } from "../../../ports/run-store.ts";
import { shownRun } from "../rows/shown.ts";
import { decodeEvent, type EventRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";
import { createLogWriter } from "./log-writer.ts";

export function createRunLogStore(db: Database): RunLogStore {
	const writer = createLogWriter(db);
	const events = db.prepare<[string, number, number], EventRow>(
		`SELECT seq, at, status, body FROM event
		WHERE run = ${shownRun("?")} AND seq > ? ORDER BY seq LIMIT ?`,
	);
	return {
		insertRun: (record, append) => answer(db.name, () => writer.insert(record, append)),
		append: (batch) => answer(db.name, () => writer.append(batch)),
		readEvents: (runId, afterSeq, limit) => answer(db.name, () => events.all(runId, afterSeq, limit).map(decodeEvent)),
	};
}
