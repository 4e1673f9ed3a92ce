import { RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { acceptance, appendOf, runRecord, said, sealing, time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

export function runIntentContract(name: string, open: OpenStore): void {
	describe(`${name}: intents`, () => {
		it("keeps the intent as it was written, across a restart", async () => {
			await using store = await open();
			const prompt = 'words, "quotes", \u0000, \ud800 and 😀';
			const record = { ...runRecord("run-1", "thread-1", prompt), createdAt: time(7) };
			expect(await store.ports.log.insertRun(record, acceptance(record))).toEqual({ inserted: true });
			const { runs } = await store.reopen();
			expect(await runs.findRun(record.runId)).toEqual(record);
			expect(await runs.findTurn(record.threadId, record.turnId)).toEqual(record);
		});

		it("answers a second insert of the same turn with the first, and writes nothing", async () => {
			await using store = await open();
			const { log, runs } = store.ports;
			const first = runRecord("run-1");
			const second = { ...runRecord("run-2"), turnId: first.turnId };
			await log.insertRun(first, acceptance(first));
			expect(await log.insertRun(second, acceptance(second))).toEqual({ inserted: false, existing: first });
			expect(await runs.findRun(second.runId)).toBeUndefined();
			expect(await log.readEvents(second.runId, 0, 10)).toEqual([]);
		});

		it("makes one run of a turn inserted 20 times at once", async () => {
			await using store = await open();
			const { log, runs } = store.ports;
			const turnId = TurnId.parse("turn");
			const records = Array.from({ length: 20 }, (_, index) => ({ ...runRecord(`run-${index}`), turnId }));
			const results = await Promise.all(records.map((record) => log.insertRun(record, acceptance(record))));
			expect(results.filter((result) => result.inserted)).toHaveLength(1);
			expect((await runs.listRuns({ limit: 50 })).items).toHaveLength(1);
		});

		it("keeps the same turnId of two threads apart", async () => {
			await using store = await open();
			const { log } = store.ports;
			const first = runRecord("run-1", "thread-1");
			const second = { ...runRecord("run-2", "thread-2"), turnId: first.turnId };
			await log.insertRun(first, acceptance(first));
			expect(await log.insertRun(second, acceptance(second))).toEqual({ inserted: true });
		});

		it("writes neither intent nor event when the first event is not allowed", async () => {
			await using store = await open();
			const { log, runs } = store.ports;
			const record = runRecord("run-1");
			await expect(log.insertRun(record, appendOf(record, [said(2)]))).rejects.toMatchObject({ code: "EVENT_GAP" });
			await expect(log.insertRun(record, { ...acceptance(record), events: [] })).rejects.toMatchObject({ code: "APPEND_INVALID" });
			expect(await runs.findRun(record.runId)).toBeUndefined();
		});

		it("refuses a run id that another turn has", async () => {
			await using store = await open();
			const { log } = store.ports;
			const first = runRecord("run-1");
			await log.insertRun(first, acceptance(first));
			const other = { ...first, turnId: TurnId.parse("another") };
			await expect(log.insertRun(other, acceptance(other))).rejects.toMatchObject({ code: "STORE_REFUSED" });
		});

		it("lists the runs without a terminal event, oldest first", async () => {
			await using store = await open();
			const { log } = store.ports;
			const records = ["run-3", "run-1", "run-2"].map((id) => runRecord(id));
			for (const record of records) await log.insertRun(record, acceptance(record));
			await log.append([sealing(runRecord("run-1"), 2, [], "cancelled")]);
			const reopened = await store.reopen();
			expect((await reopened.runs.unfinishedRuns()).map((record) => record.runId)).toEqual(["run-3", "run-2"]);
		});

		it("knows nothing of what was never written", async () => {
			await using store = await open();
			const { runs, artifacts } = store.ports;
			const runId = RunId.parse("none");
			expect(await runs.findRun(runId)).toBeUndefined();
			expect(await runs.findTurn(ThreadId.parse("none"), TurnId.parse("none"))).toBeUndefined();
			expect(await runs.sealedSnapshot(runId)).toBeUndefined();
			expect(await artifacts.isExpired(runId)).toBe(false);
			expect(await runs.unfinishedRuns()).toEqual([]);
		});
	});
}
