import { ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { deleteThread } from "./delete-thread.ts";
import { acceptance, appendOf, approval, approvalEvent, artifact, runRecord, sealing, time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

export function threadDeletionContract(name: string, open: OpenStore): void {
	describe(`${name}: deletion of a thread`, () => {
		it("removes its runs with all that belongs to them, and nothing of others", async () => {
			await using store = await open();
			const [one, two] = [runRecord("run-1", "thread-1"), runRecord("run-2", "thread-1")];
			const other = runRecord("run-3", "thread-2");
			for (const record of [one, two, other]) {
				const asked = approval(`a-${record.runId}`, record);
				await store.ports.log.insertRun(record, acceptance(record));
				await store.ports.log.append([appendOf(record, [approvalEvent(2, asked)])]);
			}
			for (const record of [one, other]) await store.ports.log.append([sealing(record, 3, [artifact(record, "a.md")])]);
			expect(await deleteThread(store.ports, one.threadId)).toBe(2);
			const { log, runs, approvals, artifacts } = await store.reopen();
			for (const gone of [one, two]) {
				expect(await runs.findRun(gone.runId)).toBeUndefined();
				expect(await log.readEvents(gone.runId, 0, 10)).toEqual([]);
				expect(await artifacts.readArtifacts(gone.runId, undefined, 10)).toEqual([]);
				expect(await runs.sealedSnapshot(gone.runId)).toBeUndefined();
			}
			expect(await log.readEvents(other.runId, 0, 10)).toHaveLength(3);
			expect((await approvals.listApprovals({ limit: 10 })).items.map((item) => item.runId)).toEqual([other.runId]);
			await artifacts.expire({ maxAgeMs: 0, maxBytes: 0, now: Date.parse(time(9)) }, 10);
			expect(await artifacts.expiredWithBytes(10)).toEqual([other.runId]);
		});

		it("leaves the thread free for the same turn, and is harmless for an unknown one", async () => {
			await using store = await open();
			const { log } = store.ports;
			const record = runRecord("run-1");
			await log.insertRun(record, acceptance(record));
			await deleteThread(store.ports, record.threadId);
			expect(await deleteThread(store.ports, ThreadId.parse("none"))).toBe(0);
			expect(await log.insertRun(record, acceptance(record))).toEqual({ inserted: true });
			expect(await log.readEvents(record.runId, 0, 10)).toHaveLength(1);
		});
	});
}
