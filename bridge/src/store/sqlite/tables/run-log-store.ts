import type { RunId, RunStatus } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { EventText } from "../../../ports/event-log.ts";
import type { RunLogStore } from "../../../ports/runs/run-store.ts";
import { shownRun } from "../rows/shown.ts";
import { decodeEvent, type EventRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";
import { createFrameReader } from "./frame-reader.ts";
import { createLogWriter } from "./log-writer.ts";

type TextRow = EventText<RunStatus>;

export function createRunLogStore(db: Database): RunLogStore {
	const writer = createLogWriter(db);
	const readFrames = createFrameReader(db);
	const ofRun = `FROM event WHERE run = ${shownRun("?")} AND seq > ? ORDER BY seq`;
	const events = db.prepare<[string, number, number], EventRow>(`SELECT seq, at, status, body ${ofRun} LIMIT ?`);
	const texts = db.prepare<[string, number], TextRow>(`SELECT seq, at, status, body AS text ${ofRun}`);

	function readTexts(runId: RunId, afterSeq: number, size: number): readonly TextRow[] {
		const page: TextRow[] = [];
		let read = 0;
		for (const row of texts.iterate(runId, afterSeq)) {
			page.push(row);
			read += row.text.length;
			if (read >= size) break;
		}
		return page;
	}

	return {
		insertRun: (record, append) => answer(db.name, () => writer.insert(record, append)),
		append: (batch) => answer(db.name, () => writer.append(batch)),
		readEvents: (runId, afterSeq, limit) => answer(db.name, () => events.all(runId, afterSeq, limit).map(decodeEvent)),
		readTexts: (runId, afterSeq, size) => answer(db.name, () => readTexts(runId, afterSeq, size)),
		readFrames: (runId, afterSeq, form) => answer(db.name, () => readFrames(runId, afterSeq, form)),
	};
}
