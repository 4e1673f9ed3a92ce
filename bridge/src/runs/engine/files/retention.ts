import type { ArtifactIndex } from "../../../ports/artifacts/artifact-index.ts";
import type { ArtifactStore } from "../../../ports/artifacts/artifact-store.ts";
import type { RunLimits } from "../../../ports/runs/run-limits.ts";

/** How many runs expire in one commit, because a commit holds up everything else. */
const PAGE_RUNS = 200;

/** Removes old runs' bytes, oldest first, by age and by total size; their records are kept (`RUN_EXPIRED`). */
export async function expireBytes(
	artifacts: ArtifactIndex,
	artifactStore: Pick<ArtifactStore, "remove">,
	limits: Pick<RunLimits, "retentionMaxAgeMs" | "retentionMaxBytes">,
	now: number,
): Promise<void> {
	const bounds = { maxAgeMs: limits.retentionMaxAgeMs, maxBytes: limits.retentionMaxBytes, now };
	for (;;) {
		// Marked first, because a run whose bytes may be partly removed must never be served as complete.
		await artifacts.expire(bounds, PAGE_RUNS);
		const expired = await artifacts.expiredWithBytes(PAGE_RUNS);
		if (expired.length === 0) return;
		for (const runId of expired) await artifactStore.remove(runId);
		await artifacts.bytesRemoved(expired);
	}
}
