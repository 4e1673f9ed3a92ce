import { RunId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RetentionBounds, type StoredRun, selectExpired } from "../../../src/ports/runs/select-expired.ts";

const NOW = Date.parse("2026-01-01T00:00:00.000Z");

function run(id: number, ageMs: number, totalBytes: number): StoredRun {
	return { runId: RunId.parse(`run-${id}`), endedAt: new Date(NOW - ageMs).toISOString(), totalBytes };
}

/** The runs that expire one page after the other, as the store reads them: oldest end first. */
function expiredOf(runs: readonly StoredRun[], bounds: RetentionBounds, page = runs.length): readonly RunId[] {
	let kept = runs.toSorted((a, b) => a.endedAt.localeCompare(b.endedAt) || a.runId.localeCompare(b.runId));
	const expired: RunId[] = [];
	for (;;) {
		const keptBytes = kept.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
		const found = selectExpired({ runs: kept.slice(0, page), hasMore: kept.length > page, keptBytes }, bounds);
		if (found.length === 0) return expired;
		expired.push(...found);
		kept = kept.slice(found.length);
	}
}

describe("retention", () => {
	it("removes what is too old, and keeps what is exactly as old as allowed", () => {
		const runs = [run(1, 101, 1), run(2, 100, 1), run(3, 0, 1)];
		expect(expiredOf(runs, { maxAgeMs: 100, maxBytes: 10, now: NOW })).toEqual(["run-1"]);
	});

	it("removes the oldest until the rest fits", () => {
		const runs = [run(3, 10, 4), run(1, 30, 1), run(2, 20, 4)];
		expect(expiredOf(runs, { maxAgeMs: 1000, maxBytes: 8, now: NOW })).toEqual(["run-1"]);
		expect(expiredOf(runs, { maxAgeMs: 1000, maxBytes: 7, now: NOW })).toEqual(["run-1", "run-2"]);
	});

	it("keeps the latest run whatever its size", () => {
		expect(expiredOf([run(1, 20, 1), run(2, 10, 100)], { maxAgeMs: 1000, maxBytes: 5, now: NOW })).toEqual(["run-1"]);
	});

	it("keeps the most recent stretch, within both limits, and as much as fits", () => {
		const runs = fc.uniqueArray(fc.record({ id: fc.nat(50), age: fc.nat(200), bytes: fc.nat(20) }), { selector: ({ id }) => id });
		fc.assert(
			fc.property(runs, fc.nat(60), fc.nat(200), fc.integer({ min: 1, max: 7 }), (given, maxBytes, maxAgeMs, page) => {
				const all = given.map(({ id, age, bytes }) => run(id, age, bytes));
				const expired = new Set(expiredOf(all, { maxAgeMs, maxBytes, now: NOW }, page));
				const kept = all.filter(({ runId }) => !expired.has(runId));
				expect(kept.every(({ endedAt }) => NOW - Date.parse(endedAt) <= maxAgeMs)).toBe(true);
				if (kept.length > 1) expect(kept.reduce((sum, { totalBytes }) => sum + totalBytes, 0)).toBeLessThanOrEqual(maxBytes);
				const oldestKept = kept.map(({ endedAt }) => endedAt).sort()[0] ?? "9";
				expect(all.filter(({ runId, endedAt }) => expired.has(runId) && endedAt > oldestKept)).toEqual([]);
			}),
		);
	});
});
