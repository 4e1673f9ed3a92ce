import type { ThreadId, Timestamp } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { RunAppend } from "../../../ports/runs/run-store.ts";

interface SealedRun {
	readonly run: number;
	readonly threadId: ThreadId;
}

type Sealed = NonNullable<RunAppend["sealed"]>;

/**
 * Writes the results of a run, inside the caller's transaction. The snapshot comes last: once it exists, the triggers refuse further
 * artifacts and any change to the run's state.
 */
export function createSealWriter(db: Database): (end: SealedRun, sealed: Sealed, at: Timestamp) => void {
	const insertArtifact = db.prepare<[number, string, string]>("INSERT INTO artifact (run, path, body) VALUES (?, ?, ?)");
	const insertBytes = db.prepare<[number, string, number]>("INSERT INTO run_bytes (run, ended_at, total_bytes) VALUES (?, ?, ?)");
	const insertSnapshot = db.prepare<[number, string]>("INSERT INTO sealed (run, snapshot) VALUES (?, ?)");
	const insertArtifactRun = db.prepare<[string, number]>("INSERT INTO delivery (thread_id, run) VALUES (?, ?)");
	return ({ run, threadId }, { snapshot, text, artifacts }, at) => {
		for (const artifact of artifacts) insertArtifact.run(run, artifact.relativePath, JSON.stringify(artifact));
		if (snapshot.status === "completed" && artifacts.length > 0) insertArtifactRun.run(threadId, run);
		const { totalBytes } = snapshot.artifacts;
		if (totalBytes > 0) insertBytes.run(run, snapshot.endedAt ?? at, totalBytes);
		insertSnapshot.run(run, text ?? JSON.stringify(snapshot));
	};
}
