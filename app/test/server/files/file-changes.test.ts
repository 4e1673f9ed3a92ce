import { type Artifact, RunId, TurnId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { RunFiles, ThreadFile } from "../../../src/api/ui-api.ts";
import { DeliveredFiles } from "../../../src/files/delivered-files.ts";
import { FileChanges } from "../../../src/files/file-changes.ts";
import { StoredThreads } from "../../support/stored-threads.ts";
import { threadId } from "../../support/thread-story.ts";

function runFiles(name: string, state: ThreadFile["state"] = "checked"): RunFiles {
	const file: ThreadFile = { relativePath: "report.md", state, mediaType: "text/markdown" };
	const ids = { turnId: TurnId.parse(`t-${name}`), runId: RunId.parse(`run-${name}`), createdAt: "2026-01-02T03:04:05.006Z" };
	return { ...ids, current: false, files: [file], count: 1, totalBytes: 1, rejected: [], rejectedCount: 0 };
}

const many = Array.from({ length: 200 }, (_, index) => runFiles(`${200 - index}`));

describe("what a page is sent of the files that it has", () => {
	it("is the runs that differ and those that are new, at most 20 KB of 200 runs", () => {
		const changes = new FileChanges();
		const first = changes.since(threadId, { folder: "/x", runs: many }, undefined);
		expect(first).toMatchObject({ runs: many });
		expect(first).not.toHaveProperty("since");
		const again = changes.since(threadId, { folder: "/x", runs: many }, first.mark);
		expect(again).toMatchObject({ since: first.mark, runs: [] });
		const edited = many.with(7, runFiles("193", "edited"));
		const next = changes.since(threadId, { folder: "/x", runs: [runFiles("201"), ...edited] }, first.mark);
		expect(next.runs.map(({ runId }) => runId)).toEqual(["run-201", "run-193"]);
		expect(JSON.stringify(next).length).toBeLessThan(20_000);
		// A page that has the earlier of two marks gets both changes.
		const back = changes.since(threadId, { folder: "/x", runs: [runFiles("201"), ...many] }, again.mark);
		expect(back.runs.map(({ runId }) => runId)).toEqual(["run-201", "run-193"]);
	});

	it("is everything when a run is not listed any more, and for a mark of another process", () => {
		const changes = new FileChanges();
		const first = changes.since(threadId, { folder: "/x", runs: many }, undefined);
		const less = changes.since(threadId, { folder: "/x", runs: many.slice(1) }, first.mark);
		expect(less).toMatchObject({ runs: many.slice(1) });
		expect(less).not.toHaveProperty("since");
		expect(new FileChanges().since(threadId, { folder: "/x", runs: many }, first.mark)).not.toHaveProperty("since");
	});
});

describe("what a thread's runs delivered", () => {
	it("is parsed once for each turn, however often the files are listed", () => {
		using threads = new StoredThreads();
		threads.begin("t1");
		let parsed = 0;
		const counted = {
			turnRecords: (id: typeof threadId) => {
				const records = threads.store.turnRecords(id);
				parsed += records.length;
				return records;
			},
			turnRecord: (key: Parameters<typeof threads.store.turnRecord>[0]) => {
				parsed++;
				return threads.store.turnRecord(key);
			},
		};
		const delivered = new DeliveredFiles(counted);
		const itemsOf = (): readonly (readonly Artifact[] | undefined)[] =>
			delivered.of(threads.repository.get(threadId)).map(({ snapshot }) => snapshot?.artifacts.items);
		expect(itemsOf()).toEqual([undefined]);
		threads.end("t1");
		expect(itemsOf()).toEqual([[]]);
		expect(itemsOf()).toEqual([[]]);
		expect(parsed).toBe(2);
	});
});
