import { type Approval, ApprovalId, type ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/ports/run-record.ts";
import type { RunStore } from "../../../src/ports/run-store.ts";
import { acceptance, appendOf, approval, approvalEvent, runRecord, said, sealing, time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

async function log(runs: RunStore, record: RunRecord, approvals: readonly Approval[]): Promise<void> {
	if ((await runs.findRun(record.runId)) === undefined) await runs.insertRun(record, acceptance(record));
	const last = (await runs.readEvents(record.runId, 0, 1000)).length;
	const events = approvals.map((one, index) => approvalEvent(last + 1 + index, one));
	await runs.append([appendOf(record, events)]);
}

const window = (second: number): Partial<Approval> => ({
	state: "decided",
	decision: "allow_window",
	windowSeconds: 600,
	decidedBy: "person",
	decidedAt: time(second),
});

export function approvalContract(name: string, open: OpenStore): void {
	describe(`${name}: approvals`, () => {
		it("shows a record as the log last said, across a restart", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			const asked = approval("a1", record);
			const denied = approval("a1", record, { state: "decided", decision: "deny", decidedBy: "person", decidedAt: time(5) });
			await log(store.ports.runs, record, [asked]);
			expect(await store.ports.runs.findApproval(asked.approvalId)).toEqual(asked);
			await log(store.ports.runs, record, [denied]);
			const { runs } = await store.reopen();
			expect(await runs.findApproval(asked.approvalId)).toEqual(denied);
			expect((await runs.listApprovals({ limit: 10 })).items).toEqual([denied]);
			expect(await runs.findApproval(ApprovalId.parse("none"))).toBeUndefined();
		});

		it("lists newest first by state and run, in pages", async () => {
			await using store = await open();
			const { runs } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2")];
			await log(runs, one, [approval("a1", one), approval("a2", one)]);
			await log(runs, two, [approval("a3", two)]);
			await log(runs, one, [approval("a4", one), approval("a1", one, { state: "expired" })]);
			const ids = async (query: Parameters<RunStore["listApprovals"]>[0]) =>
				(await runs.listApprovals(query)).items.map((item) => item.approvalId);
			expect(await ids({ limit: 10 })).toEqual(["a4", "a3", "a2", "a1"]);
			expect(await ids({ limit: 10, state: "pending" })).toEqual(["a4", "a3", "a2"]);
			expect(await ids({ limit: 10, runId: one.runId })).toEqual(["a4", "a2", "a1"]);
			expect(await ids({ limit: 10, runId: one.runId, state: "expired" })).toEqual(["a1"]);
			const cursor = (await runs.listApprovals({ limit: 2, state: "pending" })).nextCursor ?? "";
			expect(await ids({ limit: 2, state: "pending", cursor })).toEqual(["a2"]);
		});

		it("writes the record with its event or not at all", async () => {
			await using store = await open();
			const { runs } = store.ports;
			const record = runRecord("run-1");
			await runs.insertRun(record, acceptance(record));
			const batch = [appendOf(record, [approvalEvent(2, approval("a1", record)), said(9)])];
			await expect(runs.append(batch)).rejects.toMatchObject({ code: "EVENT_GAP" });
			expect((await runs.listApprovals({ limit: 10 })).items).toEqual([]);
		});

		it("refuses an approval id that another run has", async () => {
			await using store = await open();
			const { runs } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2")];
			await log(runs, one, [approval("a1", one)]);
			await expect(log(runs, two, [approval("a1", two)])).rejects.toMatchObject({ code: "APPEND_INVALID" });
			expect((await runs.findApproval(ApprovalId.parse("a1")))?.runId).toBe(one.runId);
		});

		it("gives a thread's grants, newest decision first, and no other decisions", async () => {
			await using store = await open();
			const { runs } = store.ports;
			const [one, other] = [runRecord("run-1"), runRecord("run-2", "thread-2")];
			await log(runs, one, [approval("a1", one, window(9)), approval("a2", one, window(20)), approval("a3", one)]);
			await log(runs, one, [approval("a4", one, { state: "decided", decision: "allow_once", decidedAt: time(30) })]);
			await log(runs, other, [approval("a5", other, window(40))]);
			const ids = async (threadId?: ThreadId) => (await runs.grants(threadId)).map((item) => item.approvalId);
			expect(await ids(one.threadId)).toEqual(["a2", "a1"]);
			expect(await ids()).toEqual(["a5", "a2", "a1"]);
		});

		it("[D2] keeps that a grant was revoked, once, also when its run is over, across a restart", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await log(store.ports.runs, record, [approval("a1", record, window(9)), approval("a2", record)]);
			await store.ports.runs.append([sealing(record, 4)]);
			const [granted, open1] = [ApprovalId.parse("a1"), ApprovalId.parse("a2")];
			expect(await store.ports.runs.revokeGrant(granted, time(12))).toBe(true);
			expect(await store.ports.runs.revokeGrant(granted, time(13))).toBe(false);
			expect(await store.ports.runs.revokeGrant(open1, time(13))).toBe(false);
			const { runs } = await store.reopen();
			expect(await runs.grants(record.threadId)).toEqual([]);
			expect(await runs.findApproval(granted)).toMatchObject({ decision: "allow_window", revokedAt: time(12) });
		});
	});
}
