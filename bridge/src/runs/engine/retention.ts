import type { ArtifactStore } from "../../ports/artifact-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RunLimits } from "../../ports/run-limits.ts";
import type { RunStore } from "../../ports/run-store.ts";
import { selectExpired } from "../../ports/select-expired.ts";

export interface RetentionDeps {
	readonly store: RunStore;
	readonly artifactStore: ArtifactStore;
	readonly clock: Clock;
	readonly limits: Pick<RunLimits, "retentionMaxAgeMs" | "retentionMaxBytes">;
}

/** Removes old runs' bytes, oldest first, by age and by total size; their records stay (`RUN_EXPIRED`). */
export async function expireBytes({ store, artifactStore, clock, limits }: RetentionDeps): Promise<void> {
	const bounds = { maxAgeMs: limits.retentionMaxAgeMs, maxBytes: limits.retentionMaxBytes, now: clock.now() };
	for (const runId of selectExpired(await store.runsWithBytes(), bounds)) {
		// Marked first: a run whose bytes may be half removed must never be served as whole.
		await store.markExpired(runId);
		await artifactStore.remove(runId);
	}
}
