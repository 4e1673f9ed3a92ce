import { type Approval, ApprovalId, type ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/ports/runs/run-record.ts";
import type { ApprovalStore } from "../../../src/ports/tools/approval-store.ts";
import { acceptance, appendOf, approval, approvalEvent, runRecord, said, sealing, time } from "./run-fixture.ts";
import type { OpenStore, StorePorts } from "./store-under-test.ts";

async function write({ log, runs }: StorePorts, record: RunRecord, approvals: readonly Approval[]): Promise<void> {
	if ((await runs.findRun(record.runId)) === undefined) await log.insertRun(record, acceptance(record));
	const last = (await log.readEvents(record.runId, 0, 1000)).length;
	const events = approvals.map((one, index) => approvalEvent(last + 1 + index, one));
	await log.append([appendOf(record, events)]);
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
			await write(store.ports, record, [asked]);
			expect(await store.ports.approvals.findApproval(asked.approvalId)).toEqual(asked);
			await write(store.ports, record, [denied]);
			const { approvals } = await store.reopen();
			expect(await approvals.findApproval(asked.approvalId)).toEqual(denied);
			expect((await approvals.listApprovals({ limit: 10 })).items).toEqual([denied]);
			expect(await approvals.findApproval(ApprovalId.parse("none"))).toBeUndefined();
		});

		it("lists newest first by state and run, in pages", async () => {
			await using store = await open();
			const { approvals } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2")];
			await write(store.ports, one, [approval("a1", one), approval("a2", one)]);
			await write(store.ports, two, [approval("a3", two)]);
			await write(store.ports, one, [approval("a4", one), approval("a1", one, { state: "expired" })]);
			const ids = async (query: Parameters<ApprovalStore["listApprovals"]>[0]) =>
				(await approvals.listApprovals(query)).items.map((item) => item.approvalId);
			expect(await ids({ limit: 10 })).toEqual(["a4", "a3", "a2", "a1"]);
			expect(await ids({ limit: 10, state: "pending" })).toEqual(["a4", "a3", "a2"]);
			expect(await ids({ limit: 10, runId: one.runId })).toEqual(["a4", "a2", "a1"]);
			expect(await ids({ limit: 10, runId: one.runId, state: "expired" })).toEqual(["a1"]);
			const cursor = (await approvals.listApprovals({ limit: 2, state: "pending" })).nextCursor ?? "";
			expect(await ids({ limit: 2, state: "pending", cursor })).toEqual(["a2"]);
		});

		it("writes the record with its event or not at all", async () => {
			await using store = await open();
			const { log, approvals } = store.ports;
			const record = runRecord("run-1");
			await log.insertRun(record, acceptance(record));
			const batch = [appendOf(record, [approvalEvent(2, approval("a1", record)), said(9)])];
			await expect(log.append(batch)).rejects.toMatchObject({ code: "EVENT_GAP" });
			expect((await approvals.listApprovals({ limit: 10 })).items).toEqual([]);
		});

		it("refuses an approval id that another run has", async () => {
			await using store = await open();
			const { approvals } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2")];
			await write(store.ports, one, [approval("a1", one)]);
			await expect(write(store.ports, two, [approval("a1", two)])).rejects.toMatchObject({ code: "APPEND_INVALID" });
			expect((await approvals.findApproval(ApprovalId.parse("a1")))?.runId).toBe(one.runId);
		});

		it("gives a thread's grants in force, newest decision first, and no other decisions", async () => {
			await using store = await open();
			const { approvals } = store.ports;
			const [one, other] = [runRecord("run-1"), runRecord("run-2", "thread-2")];
			await write(store.ports, one, [approval("a1", one, window(9)), approval("a2", one, window(20)), approval("a3", one)]);
			await write(store.ports, one, [approval("a4", one, { state: "decided", decision: "allow_once", decidedAt: time(30) })]);
			await write(store.ports, other, [approval("a5", other, window(40))]);
			const ids = async (second: number, threadId?: ThreadId) =>
				(await approvals.grants({ threadId, now: Date.parse(time(second)) })).map((item) => item.approvalId);
			expect(await ids(50, one.threadId)).toEqual(["a2", "a1"]);
			expect(await ids(50)).toEqual(["a5", "a2", "a1"]);
			expect(await ids(609)).toEqual(["a5", "a2"]);
			expect(await ids(640)).toEqual([]);
		});

		it("[D2] keeps that a grant was revoked, once, also when its run is over, across a restart", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await write(store.ports, record, [approval("a1", record, window(9)), approval("a2", record)]);
			await store.ports.log.append([sealing(record, 4)]);
			const [granted, open1] = [ApprovalId.parse("a1"), ApprovalId.parse("a2")];
			expect(await store.ports.approvals.revokeGrant(granted, time(12))).toBe(true);
			expect(await store.ports.approvals.revokeGrant(granted, time(13))).toBe(false);
			expect(await store.ports.approvals.revokeGrant(open1, time(13))).toBe(false);
			const { approvals } = await store.reopen();
			expect(await approvals.grants({ threadId: record.threadId, now: Date.parse(time(15)) })).toEqual([]);
			expect(await approvals.findApproval(granted)).toMatchObject({ decision: "allow_window", revokedAt: time(12) });
		});
	});
}
