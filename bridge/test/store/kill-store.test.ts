import { join } from "node:path";
import { isTerminal, type RunId, ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { BridgeStore } from "../../src/store/bridge-store.ts";
import { DATABASE_FILE, openSqliteStore } from "../../src/store/sqlite/index.ts";
import { runScript } from "./child-process.ts";
import { readWhole } from "./contracts/run-log-contract.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

/** Appends until so many commits were acknowledged, then kills. Returns the highest acknowledged seq of each run. */
async function appendUntilKilled(home: string, commits: number): Promise<Map<string, number>> {
	await using writer = runScript("append-forever.ts", home);
	const lines: string[] = [];
	while (lines.length < commits) {
		const line = await writer.nextLine();
		if (line === undefined) throw new Error("the writer ended by itself");
		lines.push(line);
	}
	lines.push(...(await writer.kill()));
	return new Map(lines.map((line) => line.split(" ")).map(([run, seq]) => [String(run), Number(seq)]));
}

async function allRuns(store: BridgeStore): Promise<RunId[]> {
	const ids: RunId[] = [];
	let cursor: string | undefined;
	do {
		const page = await store.runs.listRuns({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
		ids.push(...page.items.map((item) => item.runId));
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return ids;
}

// Views and log agree, whatever the moment of the kill.
async function expectConsistent({ log, runs, artifacts, approvals }: BridgeStore, runId: RunId): Promise<number> {
	const events = await readWhole(log, runId, 7);
	expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
	const last = events.at(-1);
	const sealed = last !== undefined && isTerminal(last.status);
	expect((await runs.sealedSnapshot(runId))?.lastSeq).toBe(sealed ? last.seq : undefined);
	expect(await artifacts.readArtifacts(runId, undefined, 10)).toHaveLength(sealed ? 2 : 0);
	const asked = events.flatMap(({ event }) => (event.type === "approval" ? [event.record] : []));
	expect((await approvals.listApprovals({ runId, limit: 200 })).items).toEqual(asked.reverse());
	return last?.seq ?? 0;
}

/** Rows of the log, whoever may see them. */
function countEvents(home: string, thread: string): number {
	const db = new Database(join(home, DATABASE_FILE), { readonly: true });
	try {
		const count = db.prepare<[string], number>("SELECT count(*) FROM event JOIN run ON run.id = event.run WHERE thread_id = ?").pluck();
		return count.get(thread) ?? 0;
	} finally {
		db.close();
	}
}

// A process starts and is killed in each.
const BOUND = { timeout: 30_000 };

describe("kill -9 in the midst of appends", () => {
	it.each([1, 4, 20, 33, 57, 140])(
		"after %i acknowledged writes: no gap, nothing acknowledged lost, views as the log",
		BOUND,
		async (commits) => {
			await using scratch = await scratchDirectory();
			const acknowledged = await appendUntilKilled(scratch.path, commits);
			const store = openSqliteStore(scratch.path);
			try {
				const stored = new Map<string, number>();
				for (const runId of await allRuns(store)) stored.set(runId, await expectConsistent(store, runId));
				for (const [runId, seq] of acknowledged) expect(stored.get(runId) ?? 0).toBeGreaterThanOrEqual(seq);
			} finally {
				store.close();
			}
		},
	);
});

describe("kill -9 in the midst of a deletion", () => {
	it("shows nothing of the thread, and the deletion continues", BOUND, async () => {
		await using scratch = await scratchDirectory();
		await using deleter = runScript("delete-long-thread.ts", scratch.path);
		expect(await deleter.nextLine()).toBe("hidden");
		await deleter.kill();
		const store = openSqliteStore(scratch.path);
		const threadId = ThreadId.parse("thread-1");
		try {
			expect((await allRuns(store)).toSorted()).toEqual(["run-a-of-thread-2", "run-b-of-thread-2"]);
			// The kill may come after the last part.
			for (const hidden of await store.deletion.hidden()) await store.deletion.remove(hidden, async () => undefined);
			expect(await store.deletion.hidden()).toEqual([]);
			expect(await store.deletion.isBusy(threadId)).toBe(false);
		} finally {
			store.close();
		}
		expect([countEvents(scratch.path, "thread-1"), countEvents(scratch.path, "thread-2")]).toEqual([0, 40_002]);
	});
});
