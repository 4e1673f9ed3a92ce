import type { RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { ArtifactStore } from "../../src/ports/artifacts/artifact-store.ts";
import { expireBytes } from "../../src/runs/engine/files/retention.ts";
import { acceptance, artifact, runRecord, sealing, time } from "../store/contracts/run-fixture.ts";
import { executedIn } from "../store/count-statements.ts";
import { openSqliteUnderTest } from "../store/sqlite-store-under-test.ts";

const limits = { retentionMaxAgeMs: 1_000_000, retentionMaxBytes: 5 };
const NOW = Date.parse(time(9));

async function storeOf(runs: readonly string[]) {
	const store = await openSqliteUnderTest();
	for (const id of runs) {
		const record = runRecord(id);
		await store.ports.log.insertRun(record, acceptance(record));
		await store.ports.log.append([sealing(record, 2, [artifact(record, "a.md")])]);
	}
	return store;
}

/** Notes whose bytes it removes. */
const removingInto = (removed: RunId[]): Pick<ArtifactStore, "remove"> => ({ remove: async (runId) => removed.push(runId) });

it("expires the runs of a page in one commit, and notes in one that their bytes are gone", async () => {
	await using store = await storeOf(["run-1", "run-2", "run-3", "run-4"]);
	const removed: RunId[] = [];
	const executed = await executedIn(() => expireBytes(store.ports.artifacts, removingInto(removed), limits, NOW));
	expect(removed).toEqual(["run-1", "run-2", "run-3"]);
	// The third finds that the rest fits.
	expect(executed.filter(({ sql }) => sql.startsWith("BEGIN"))).toHaveLength(3);
});

it("removes what an earlier bridge had marked as expired and not yet removed", async () => {
	await using store = await storeOf(["run-1", "run-2", "run-3"]);
	const removed: RunId[] = [];
	const fails: Pick<ArtifactStore, "remove"> = {
		remove: async (runId) => {
			if (runId !== "run-1") throw new Error("killed");
			return removed.push(runId);
		},
	};
	await expect(expireBytes(store.ports.artifacts, fails, limits, NOW)).rejects.toThrow("killed");
	const { artifacts } = await store.reopen();
	expect(await artifacts.largestOf(100)).toBeGreaterThan(0);
	expect(await artifacts.isExpired(runRecord("run-2").runId)).toBe(true);
	await expireBytes(artifacts, removingInto(removed), { ...limits, retentionMaxBytes: 1_000 }, NOW);
	expect(new Set(removed)).toEqual(new Set(["run-1", "run-2"]));
	expect(await artifacts.isExpired(runRecord("run-3").runId)).toBe(false);
	expect(await artifacts.expiredWithBytes(100)).toEqual([]);
});

it("still knows what the largest of the latest runs delivered, once its bytes are gone", async () => {
	await using store = await storeOf(["run-1", "run-2"]);
	const { artifacts } = store.ports;
	const largest = await artifacts.largestOf(100);
	expect(largest).toBeGreaterThan(0);
	await expireBytes(artifacts, removingInto([]), { ...limits, retentionMaxAgeMs: 1 }, NOW);
	expect(await artifacts.expiredWithBytes(100)).toEqual([]);
	expect(await artifacts.isExpired(runRecord("run-2").runId)).toBe(true);
	expect(await artifacts.largestOf(100)).toBe(largest);
	// Noting it twice changes nothing.
	await artifacts.bytesRemoved([runRecord("run-1").runId, runRecord("run-2").runId]);
	expect(await artifacts.expiredWithBytes(100)).toEqual([]);
});
