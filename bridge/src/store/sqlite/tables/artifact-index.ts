import type { Artifact, RunId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ArtifactIndex } from "../../../ports/artifacts/artifact-index.ts";
import { type RetentionBounds, type StoredRun, selectExpired } from "../../../ports/runs/select-expired.ts";
import { shownRun } from "../rows/shown.ts";
import { decodeRecord, decodeRow, type RecordRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

/**
 * Lists the accepted files of sealed runs, and which runs still have their bytes; runs without any bytes are not listed. SQLite's BINARY
 * order of UTF-8 text is the manifest's byte order.
 */
export function createArtifactIndex(db: Database): ArtifactIndex {
	const sql = prepareStatements(db);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	const expire = db.transaction((bounds: RetentionBounds, limit: number) => {
		const oldest = sql.kept.all(limit + 1);
		const keptBytes = sql.keptBytes.get()?.total ?? 0;
		const page = { runs: oldest.slice(0, limit), hasMore: oldest.length > limit, keptBytes };
		for (const runId of selectExpired(page, bounds)) sql.mark.run(runId);
	});
	const bytesRemoved = db.transaction((runIds: readonly RunId[]) => {
		for (const runId of runIds) sql.removed.run(runId);
	});
	return {
		lastArtifactRun: (threadId) => reply(() => sql.lastArtifactRun.get(threadId)?.runId),
		// Paths are never empty, so '' comes before all of them.
		readArtifacts: (runId, afterPath, limit) =>
			reply(() => sql.after.all(runId, afterPath ?? "", limit).map((row) => decodeRecord<Artifact>(row.body))),
		findArtifact: (runId, relativePath) => reply(() => decodeRow<Artifact>(sql.find.get(runId, relativePath))),
		expire: (bounds, limit) => reply(() => expire.immediate(bounds, limit)),
		expiredWithBytes: (limit) => reply(() => sql.leaving.all(limit).map((row) => row.runId)),
		bytesRemoved: (runIds) => reply(() => bytesRemoved.immediate(runIds)),
		largestOf: (latestRuns) => reply(() => sql.largest.get(latestRuns) ?? 0),
		isExpired: (runId) => reply(() => sql.isExpired.get(runId)?.expired === 1),
	};
}

function prepareStatements(db: Database) {
	const key = "(SELECT run.id FROM run WHERE run_id = ?)";
	return {
		lastArtifactRun: db.prepare<[string], { runId: RunId }>(
			`SELECT run.run_id AS runId FROM delivery JOIN run ON run.id = delivery.run
			WHERE delivery.thread_id = ? ORDER BY delivery.run DESC LIMIT 1`,
		),
		after: db.prepare<[string, string, number], RecordRow>(
			`SELECT body FROM artifact WHERE run = ${shownRun("?")} AND path > ? ORDER BY path LIMIT ?`,
		),
		find: db.prepare<[string, string], RecordRow>(`SELECT body FROM artifact WHERE run = ${shownRun("?")} AND path = ?`),
		kept: db.prepare<[number], StoredRun>(
			`SELECT run.run_id AS runId, ended_at AS endedAt, total_bytes AS totalBytes
			FROM run_bytes JOIN run ON run.id = run_bytes.run WHERE expired = 0 AND total_bytes > 0 ORDER BY ended_at, run LIMIT ?`,
		),
		keptBytes: db.prepare<[], { total: number }>("SELECT total FROM bytes_kept"),
		mark: db.prepare<[string]>(`UPDATE run_bytes SET expired = 1 WHERE run = ${key}`),
		leaving: db.prepare<[number], { runId: RunId }>(
			`SELECT run.run_id AS runId FROM run_bytes JOIN run ON run.id = run_bytes.run WHERE expired = 1 AND total_bytes > 0 LIMIT ?`,
		),
		// A negative number means that the bytes have been removed. Its absolute value is how many there were.
		removed: db.prepare<[string]>(`UPDATE run_bytes SET total_bytes = -abs(total_bytes) WHERE run = ${key}`),
		// `run > 0` is true for every run. It makes the planner walk the key from its end instead of scanning the table.
		largest: db
			.prepare<[number], number | null>(
				"SELECT max(abs(total_bytes)) FROM (SELECT total_bytes FROM run_bytes WHERE run > 0 ORDER BY run DESC LIMIT ?)",
			)
			.pluck(),
		isExpired: db.prepare<[string], { expired: number }>(`SELECT expired FROM run_bytes WHERE run = ${key}`),
	};
}
