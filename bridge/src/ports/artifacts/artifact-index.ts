import type { Artifact, RunId, ThreadId } from "@xworkmate/contracts";
import type { RetentionBounds } from "../runs/select-expired.ts";

/** Lists the files of sealed runs; their bytes are in the ArtifactStore. */
export interface ArtifactIndex {
	/** The thread's last completed run that delivered any file. */
	lastArtifactRun(threadId: ThreadId): Promise<RunId | undefined>;
	/** Accepted files of a sealed run whose paths come after `afterPath` in byte order, at most `limit`. */
	readArtifacts(runId: RunId, afterPath: string | undefined, limit: number): Promise<readonly Artifact[]>;
	findArtifact(runId: RunId, relativePath: string): Promise<Artifact | undefined>;
	/** Marks runs whose bytes are no longer kept, the oldest first, at most `limit`, in one commit. Their records are kept. */
	expire(bounds: RetentionBounds, limit: number): Promise<void>;
	/** Expired runs whose bytes may still be in the ArtifactStore, at most `limit`. */
	expiredWithBytes(limit: number): Promise<readonly RunId[]>;
	/** Records that the bytes of these expired runs have been removed. */
	bytesRemoved(runIds: readonly RunId[]): Promise<void>;
	isExpired(runId: RunId): Promise<boolean>;
	/** The bytes that the largest of the latest runs delivered, whether or not they are still stored; 0 if none delivered any. */
	largestOf(latestRuns: number): Promise<number>;
}
