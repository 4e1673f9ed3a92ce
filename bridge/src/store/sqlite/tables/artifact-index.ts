import { Artifact, RunId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ArtifactIndex } from "../../../ports/artifact-index.ts";
import type { StoredRun } from "../../../ports/select-expired.ts";
import { StoreError } from "../../store-error.ts";
import { decodeRecord } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

/**
 * The accepted files of sealed runs, and which runs still have their bytes; runs without any bytes are not listed. SQLite's BINARY order
 * over UTF-8 is the manifest's byte order.
 */
export function createArtifactIndex(db: Database): ArtifactIndex {
	const sql = prepareStatements(db);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		lastArtifactRun: (threadId) =>
			reply(() => {
				const row = sql.lastArtifactRun.get(threadId);
				return row === undefined ? undefined : RunId.parse(row.run_id);
			}),
		// Paths are never empty, so '' precedes all of them.
		readArtifacts: (runId, afterPath, limit) =>
			reply(() => sql.after.all(runId, afterPath ?? "", limit).map((row) => decodeRecord(Artifact, row.body))),
		findArtifact: (runId, relativePath) =>
			reply(() => {
				const row = sql.find.get(runId, relativePath);
				return row === undefined ? undefined : decodeRecord(Artifact, row.body);
			}),
		runsWithBytes: () => reply(() => sql.kept.all()),
		markExpired: (runId) =>
			reply(() => {
				if (sql.mark.run(runId).changes === 0) throw new StoreError("RUN_UNKNOWN", `There is no sealed run ${runId}.`);
			}),
		isExpired: (runId) => reply(() => sql.isExpired.get(runId)?.expired === 1),
	};
}

function prepareStatements(db: Database) {
	const ofRun = "run = (SELECT run.id FROM run WHERE run_id = ?)";
	return {
		lastArtifactRun: db.prepare<[string], { run_id: string }>(
			"SELECT run.run_id FROM delivery JOIN run ON run.id = delivery.run WHERE delivery.thread_id = ? ORDER BY delivery.run DESC LIMIT 1",
		),
		after: db.prepare<[string, string, number], { body: string }>(
			`SELECT body FROM artifact WHERE ${ofRun} AND path > ? ORDER BY path LIMIT ?`,
		),
		find: db.prepare<[string, string], { body: string }>(`SELECT body FROM artifact WHERE ${ofRun} AND path = ?`),
		kept: db.prepare<[], StoredRun>(
			`SELECT run.run_id AS runId, ended_at AS endedAt, total_bytes AS totalBytes
			FROM run_bytes JOIN run ON run.id = run_bytes.run WHERE expired = 0 AND total_bytes > 0 ORDER BY ended_at, run`,
		),
		mark: db.prepare<[string]>(`UPDATE run_bytes SET expired = 1 WHERE ${ofRun}`),
		isExpired: db.prepare<[string], { expired: number }>(`SELECT expired FROM run_bytes WHERE ${ofRun}`),
	};
}
