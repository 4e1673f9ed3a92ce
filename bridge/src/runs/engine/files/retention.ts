import type { ArtifactIndex } from "../../../ports/artifact-index.ts";
import type { ArtifactStore } from "../../../ports/artifact-store.ts";
import type { RunLimits } from "../../../ports/run-limits.ts";
import { selectExpired } from "../../../ports/select-expired.ts";

/** Removes old runs' bytes, oldest first, by age and by total size; their records stay (`RUN_EXPIRED`). */
export async function expireBytes(
	artifacts: ArtifactIndex,
	artifactStore: ArtifactStore,
	limits: Pick<RunLimits, "retentionMaxAgeMs" | "retentionMaxBytes">,
	now: number,
): Promise<void> {
	const bounds = { maxAgeMs: limits.retentionMaxAgeMs, maxBytes: limits.retentionMaxBytes, now };
	for (const runId of selectExpired(await artifacts.runsWithBytes(), bounds)) {
		// Marked first: a run whose bytes may be partly removed must never be served as complete.
		await artifacts.markExpired(runId);
		await artifactStore.remove(runId);
	}
}
