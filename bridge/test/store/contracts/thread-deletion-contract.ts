import { ApprovalId, type RunId, ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/ports/runs/run-record.ts";
import { deleteThread } from "./delete-thread.ts";
import { acceptance, appendOf, approval, approvalEvent, artifact, runRecord, sealing, time } from "./run-fixture.ts";
import type { OpenStore, StorePorts } from "./store-under-test.ts";

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

		it("knows a thread that has an unfinished run, and the folders that its runs worked in", async () => {
			await using store = await open();
			const { log, deletion } = store.ports;
			const folders = ["/home/user/b", undefined, "/home/user/a", "/home/user/b"];
			const records = folders.map((folder, index) => ({
				...runRecord(`run-${index}`),
				...(folder === undefined ? {} : { projectDirectory: folder }),
			}));
			const [first = runRecord("none")] = records;
			for (const record of records) await log.insertRun(record, acceptance(record));
			expect(await deletion.isBusy(first.threadId)).toBe(true);
			for (const record of records) await log.append([sealing(record, 2)]);
			expect(await deletion.isBusy(first.threadId)).toBe(false);
			expect((await deletion.projectDirectories(first.threadId)).toSorted()).toEqual(["/home/user/a", "/home/user/b"]);
			expect(await deletion.projectDirectories(ThreadId.parse("none"))).toEqual([]);
		});

		it("leaves retention what other threads have: their bytes alone count", async () => {
			await using store = await open();
			const { log, artifacts } = store.ports;
			const [gone, one, two] = [runRecord("run-1", "thread-1"), runRecord("run-2", "thread-2"), runRecord("run-3", "thread-2")];
			for (const record of [gone, one, two]) {
				await log.insertRun(record, acceptance(record));
				await log.append([sealing(record, 2, [artifact(record, "a.md", 5)])]);
			}
			await deleteThread(store.ports, gone.threadId);
			const now = Date.parse(time(9));
			await artifacts.expire({ maxAgeMs: 1_000_000, maxBytes: 10, now }, 10);
			expect(await artifacts.expiredWithBytes(10)).toEqual([]);
			await artifacts.expire({ maxAgeMs: 1_000_000, maxBytes: 9, now }, 10);
			expect(await artifacts.expiredWithBytes(10)).toEqual([one.runId]);
		});

		it("hides the thread from every read at once, across a restart, and leaves others as they are", async () => {
			await using store = await open();
			const window = { state: "decided", decision: "allow_window", windowSeconds: 600, decidedAt: time(2) } as const;
			const [gone, kept] = [runRecord("run-1", "thread-1"), runRecord("run-2", "thread-2")];
			for (const record of [gone, kept]) {
				await store.ports.log.insertRun(record, acceptance(record));
				await store.ports.log.append([appendOf(record, [approvalEvent(2, approval(`a-${record.runId}`, record, window))])]);
				await store.ports.log.append([sealing(record, 3, [artifact(record, "a.md")])]);
			}
			const shows = async ({ log, runs, approvals, artifacts, changes }: StorePorts, { runId, threadId, turnId }: RunRecord) => {
				const found = [
					await runs.findRun(runId),
					await runs.findTurn(threadId, turnId),
					await runs.findFacts({ runId }),
					await runs.findFacts({ threadId, turnId }),
					await runs.sealedSnapshot(runId),
					await artifacts.findArtifact(runId, "a.md"),
					await approvals.findApproval(ApprovalId.parse(`a-${runId}`)),
				];
				const listed = [
					await log.readEvents(runId, 0, 10),
					await artifacts.readArtifacts(runId, undefined, 10),
					(await runs.listRuns({ limit: 10 })).items.filter((run) => run.runId === runId),
					(await runs.listRuns({ limit: 10, threadId, status: "completed" })).items,
					(await approvals.listApprovals({ limit: 10 })).items.filter((one) => one.runId === runId),
					(await approvals.listApprovals({ limit: 10, runId })).items,
					await approvals.grants({ threadId, now: Date.parse(time(3)) }),
					(await approvals.grants({ now: Date.parse(time(3)) })).filter((one) => one.runId === runId),
					(await changes.read(undefined, 10)).items.filter(({ change }) => JSON.stringify(change).includes(runId)),
				];
				return [...found.map((one) => one !== undefined), ...listed.map((page) => page.length > 0)];
			};
			const all = Array.from({ length: 16 }, () => true);
			expect(await shows(store.ports, gone)).toEqual(all);
			await store.ports.deletion.hide(gone.threadId);
			expect(await shows(store.ports, gone)).toEqual(all.map(() => false));
			expect(await shows(store.ports, kept)).toEqual(all);
			const reopened = await store.reopen();
			expect(await shows(reopened, gone)).toEqual(all.map(() => false));
			expect(await reopened.deletion.hidden()).toEqual([gone.threadId]);
			expect(await deleteThread(reopened, gone.threadId)).toBe(1);
			expect(await reopened.deletion.hidden()).toEqual([]);
			expect(await shows(reopened, kept)).toEqual(all);
		});

		it("stays hidden when it is interrupted, and continues with the runs that are left", async () => {
			await using store = await open();
			const { log, deletion } = store.ports;
			const records = ["run-1", "run-2", "run-3"].map((id) => runRecord(id));
			for (const record of records) await log.insertRun(record, acceptance(record));
			const { threadId } = runRecord("run-1");
			await deletion.hide(threadId);
			const stop = new AbortController();
			const removed: RunId[] = [];
			const removeFiles = async (runId: RunId) => {
				removed.push(runId);
				if (removed.length === records.length) stop.abort(new Error("the bridge stops"));
			};
			await expect(deletion.remove(threadId, removeFiles, stop.signal)).rejects.toThrow("the bridge stops");
			await expect(deletion.remove(threadId, () => Promise.reject(new Error("no access")))).rejects.toThrow("no access");
			const reopened = await store.reopen();
			expect(await reopened.deletion.hidden()).toEqual([threadId]);
			expect((await reopened.runs.listRuns({ limit: 10 })).items).toEqual([]);
			expect(await reopened.deletion.remove(threadId, removeFiles)).toBe(3);
			expect(await reopened.deletion.hidden()).toEqual([]);
		});
	});
}
