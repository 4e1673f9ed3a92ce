import type { Artifact, RunId, ThreadId } from "@xworkmate/contracts";
import type { StoredRun } from "./select-expired.ts";

/** Lists the files of sealed runs; their bytes are in the ArtifactStore. */
export interface ArtifactIndex {
	/** The thread's last completed run that delivered any file. */
	lastArtifactRun(threadId: ThreadId): Promise<RunId | undefined>;
	/** Accepted files of a sealed run after a path (byte order), at most `limit`. */
	readArtifacts(runId: RunId, afterPath: string | undefined, limit: number): Promise<readonly Artifact[]>;
	findArtifact(runId: RunId, relativePath: string): Promise<Artifact | undefined>;
	/** Sealed runs whose bytes are still stored, ordered by their end, oldest first (for retention). */
	runsWithBytes(): Promise<readonly StoredRun[]>;
	/** Marks a run's bytes as removed; its records stay. */
	markExpired(runId: RunId): Promise<void>;
	isExpired(runId: RunId): Promise<boolean>;
}
