import { chained, emptyChain, type Receipt, type ReceiptDraft, RunId, ThreadId, ToolId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../../src/ports/runs/run-event.ts";
import type { RunRecord } from "../../../src/ports/runs/run-record.ts";
import { deleteThread } from "./delete-thread.ts";
import { acceptance, appendOf, runRecord, sealing, time } from "./run-fixture.ts";
import type { OpenStore, StorePorts } from "./store-under-test.ts";

const toolId = ToolId.parse("calendar.events.create");

/** Writes a run with one call of so many receipts. */
async function stored(
	{ log }: StorePorts,
	record: RunRecord,
	count: number,
	change: Partial<ReceiptDraft> = {},
): Promise<readonly Receipt[]> {
	await log.insertRun(record, acceptance(record));
	let head = emptyChain(record.runId);
	const receipts = Array.from({ length: count }, (_, index) => {
		const type = index === 0 ? "tool.call.requested" : "tool.call.started";
		const receipt = chained(record.runId, head, time(index + 2), { type, origin: "executed", toolId, toolCallId: "call-1", ...change });
		head = { count: receipt.n, hash: receipt.hash };
		return receipt;
	});
	const events = receipts.map((receipt, index): LoggedEvent => {
		return { seq: index + 2, at: receipt.at, status: "running", event: { type: "receipt", receipt } };
	});
	if (events.length > 0) await log.append([appendOf(record, events)]);
	return receipts;
}

const ids = (receipts: readonly Receipt[]) => receipts.map(({ receiptId }) => receiptId);

export function receiptContract(name: string, open: OpenStore): void {
	describe(`${name}: receipts`, () => {
		it("[T1-86] lists them newest first, page by page, by each filter", async () => {
			await using store = await open();
			const { receipts } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2", "thread-2")];
			const first = await stored(store.ports, one, 3);
			const second = await stored(store.ports, two, 2, { origin: "reported" });
			const all = [...first, ...second].reverse();
			const page = await receipts.listReceipts({ limit: 2 });
			expect(ids(page.items)).toEqual(ids(all.slice(0, 2)));
			expect(ids((await receipts.listReceipts({ limit: 10, cursor: page.nextCursor })).items)).toEqual(ids(all.slice(2)));
			const listed = async (filter: object) => ids((await receipts.listReceipts({ limit: 10, ...filter })).items);
			expect(await listed({ runId: one.runId })).toEqual(["run-1.3", "run-1.2", "run-1.1"]);
			expect(await listed({ threadId: ThreadId.parse("thread-2") })).toEqual(["run-2.2", "run-2.1"]);
			expect(await listed({ origin: "reported", type: "tool.call.requested" })).toEqual(["run-2.1"]);
			expect(await listed({ toolId: "calendar.events.delete" })).toEqual([]);
			expect(await listed({ runId: one.runId, since: time(3), until: time(4) })).toEqual(["run-1.2"]);
			await expect(receipts.listReceipts({ limit: 1, cursor: page.nextCursor, runId: one.runId })).rejects.toThrow("cursor");
		});

		it("finds one, its call, its run and the run's last, and reads their texts as they were written", async () => {
			await using store = await open();
			const { receipts } = store.ports;
			const written = await stored(store.ports, runRecord("run-1"), 3);
			const runId = RunId.parse("run-1");
			expect(await receipts.findReceipt({ runId }, 2)).toEqual(written[1]);
			expect(await receipts.findReceipt({ runId }, 4)).toBeUndefined();
			expect(await receipts.ofCall(runId, "call-1")).toEqual(written);
			expect(await receipts.lastOf({ runId })).toEqual(written[2]);
			expect(await receipts.lastOf({ runId: RunId.parse("run-9") })).toBeUndefined();
			const texts = await receipts.textsOf({ runId }, 1, 1);
			expect(texts).toEqual([{ n: 2, text: JSON.stringify({ type: "receipt", receipt: written[1] }) }]);
			expect(await receipts.findRun(runId)).toEqual({ runId, isOver: false, isDeleting: false });
		});

		it("gives the runs that have receipts, in parts, and whether they are over", async () => {
			await using store = await open();
			const { receipts, log } = store.ports;
			const [one, two, three] = [runRecord("run-1"), runRecord("run-2"), runRecord("run-3")];
			await stored(store.ports, one, 2);
			await stored(store.ports, two, 0);
			await stored(store.ports, three, 1);
			await log.append([sealing(one, 4)]);
			const page = await receipts.runsAfter(0, 1);
			expect(page.runs).toEqual([{ runId: "run-1", isOver: true, isDeleting: false }]);
			const rest = await receipts.runsAfter(page.next ?? 0, 10);
			expect(rest).toEqual({ runs: [{ runId: "run-3", isOver: false, isDeleting: false }] });
		});

		it("a deleted thread's are gone", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await stored(store.ports, record, 2);
			await store.ports.log.append([sealing(record, 4)]);
			await deleteThread(store.ports, record.threadId);
			expect((await store.ports.receipts.listReceipts({ limit: 10 })).items).toEqual([]);
			expect(await store.ports.receipts.findRun(record.runId)).toBeUndefined();
			expect((await store.ports.receipts.runsAfter(0, 10)).runs).toEqual([]);
		});

		it("keeps the end of the ledger", async () => {
			await using store = await open();
			const { ledgerEnd } = store.ports;
			expect(await ledgerEnd.read()).toBeUndefined();
			await ledgerEnd.write({ n: 1, hash: "a".repeat(64) });
			await ledgerEnd.write({ n: 2, hash: "b".repeat(64) });
			expect(await ledgerEnd.read()).toEqual({ n: 2, hash: "b".repeat(64) });
		});
	});
}
