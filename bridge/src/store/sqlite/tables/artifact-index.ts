import { Artifact, RunId, type ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import { decodeRecord } from "../rows/stored-json.ts";

export interface ArtifactReader {
	lastArtifactRun(threadId: ThreadId): RunId | undefined;
	read(runId: RunId, afterPath: string | undefined, limit: number): readonly Artifact[];
	find(runId: RunId, relativePath: string): Artifact | undefined;
}

/** Reads the accepted files of sealed runs. SQLite's BINARY order over UTF-8 is the manifest's byte order. */
export function createArtifactReader(db: Database): ArtifactReader {
	const ofRun = "run = (SELECT run.id FROM run WHERE run_id = ?)";
	const after = db.prepare<[string, string, number], { body: string }>(
		`SELECT body FROM artifact WHERE ${ofRun} AND path > ? ORDER BY path LIMIT ?`,
	);
	const find = db.prepare<[string, string], { body: string }>(`SELECT body FROM artifact WHERE ${ofRun} AND path = ?`);
	const lastArtifactRun = db.prepare<[string], { run_id: string }>(
		"SELECT run.run_id FROM delivery JOIN run ON run.id = delivery.run WHERE delivery.thread_id = ? ORDER BY delivery.run DESC LIMIT 1",
	);
	return {
		lastArtifactRun: (threadId) => {
			const row = lastArtifactRun.get(threadId);
			return row === undefined ? undefined : RunId.parse(row.run_id);
		},
		// No path is empty, so '' is before all.
		read: (runId, afterPath, limit) => after.all(runId, afterPath ?? "", limit).map((row) => decodeRecord(Artifact, row.body)),
		find: (runId, relativePath) => {
			const row = find.get(runId, relativePath);
			return row === undefined ? undefined : decodeRecord(Artifact, row.body);
		},
	};
}
