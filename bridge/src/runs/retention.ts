import type { ArtifactVault } from "../artifacts/artifact-vault.ts";
import type { Clock } from "./clock.ts";
import type { RunLimits } from "./run-limits.ts";
import type { RunStore } from "./run-store.ts";

export interface RetentionDeps {
	readonly store: RunStore;
	readonly vault: ArtifactVault;
	readonly clock: Clock;
	readonly limits: Pick<RunLimits, "retentionMaxAgeMs" | "retentionMaxBytes">;
}

/** Removes old runs' bytes, oldest first, by age and by total size; their records stay (`RUN_EXPIRED`). */
export async function expireBytes({ store, vault, clock, limits }: RetentionDeps): Promise<void> {
	const runs = await store.runsWithBytes();
	const oldest = clock.now() - limits.retentionMaxAgeMs;
	let kept = runs.reduce((sum, run) => sum + run.totalBytes, 0);
	for (const run of runs) {
		if (Date.parse(run.endedAt) >= oldest && kept <= limits.retentionMaxBytes) continue;
		// Marked first: a run whose bytes may be half removed must never be served as whole.
		await store.markExpired(run.runId);
		await vault.remove(run.runId);
		kept -= run.totalBytes;
	}
}
