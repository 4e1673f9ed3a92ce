import type { RunId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../../src/ports/runs/run-event.ts";
import type { FrameForm } from "../../../src/ports/runs/run-frames.ts";
import type { RunLogStore } from "../../../src/ports/runs/run-store.ts";
import { acceptance, appendOf, runRecord, said, sealing, time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

/** Reads a run's log in pages. */
export async function readWhole(log: RunLogStore, runId: RunId, pageSize: number): Promise<LoggedEvent[]> {
	const events: LoggedEvent[] = [];
	for (;;) {
		const page = await log.readEvents(runId, events.at(-1)?.seq ?? 0, pageSize);
		events.push(...page);
		if (page.length < pageSize) return events;
	}
}

// Every case of a property is its own store, with real flushes to the disk.
const BOUND = { timeout: 30_000 };

// A batch: for each named run, how many events it adds.
const batches = fc.array(fc.array(fc.record({ run: fc.nat({ max: 3 }), events: fc.integer({ min: 1, max: 6 }) }), { maxLength: 4 }), {
	maxLength: 10,
});

const form: FrameForm = {
	beforeId: "id ",
	beforeSeq: " 'seq\" ",
	beforeAt: " at ",
	beforeStatus: " status ",
	beforeUpdate: " update \u{1f642} ",
	end: " end\n",
};

function storedAs(type: string, text: string): string {
	if (type === "receipt") return JSON.stringify({ type, receipt: { text } });
	return JSON.stringify(type === "said" ? { type, update: { text } } : { type, more: text });
}

/** Undefined for what cannot be framed without being parsed. */
function frameOf(seq: number, type: string, text: string): string | undefined {
	if (type === "other") return undefined;
	const update = type === "said" ? { text } : { kind: "receipt", text };
	const { beforeId, beforeSeq, beforeAt, beforeStatus, beforeUpdate, end } = form;
	return `${beforeId}${seq}${beforeSeq}${seq}${beforeAt}${time(seq)}${beforeStatus}running${beforeUpdate}${JSON.stringify(update)}${end}`;
}

export function runLogContract(name: string, open: OpenStore): void {
	describe(`${name}: the log`, () => {
		it("is gapless and in order, and its pages make the whole, for any appends to several runs", BOUND, async () => {
			await fc.assert(
				fc.asyncProperty(batches, fc.integer({ min: 1, max: 7 }), async (plan, pageSize) => {
					await using store = await open();
					const { log } = store.ports;
					const logs = [0, 1, 2, 3].map((index) => ({ record: runRecord(`run-${index}`), events: [] as LoggedEvent[] }));
					for (const { record, events } of logs) {
						const first = acceptance(record);
						await log.insertRun(record, first);
						events.push(...first.events);
					}
					for (const batch of plan) {
						const appends = batch.flatMap(({ run, events: count }) => {
							const log = logs[run];
							if (log === undefined) return [];
							const added = Array.from({ length: count }, (_, index) => said(log.events.length + 1 + index));
							log.events.push(...added);
							return [appendOf(log.record, added)];
						});
						await log.append(appends);
					}
					const reopened = await store.reopen();
					for (const { record, events } of logs) {
						const stored = await readWhole(reopened.log, record.runId, pageSize);
						expect(stored).toEqual(events);
						expect(stored.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
					}
				}),
				{ numRuns: 15 },
			);
		});

		it("takes a whole batch or nothing of it", async () => {
			await using store = await open();
			const { log, runs } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2")];
			await log.insertRun(one, acceptance(one));
			await log.insertRun(two, acceptance(two));
			const batch = [appendOf(one, [said(2), said(3)]), appendOf(two, [said(2), said(4)])];
			await expect(log.append(batch)).rejects.toMatchObject({ code: "EVENT_GAP" });
			expect(await log.readEvents(one.runId, 0, 10)).toHaveLength(1);
			expect((await runs.listRuns({ limit: 10 })).items.map((item) => item.lastSeq)).toEqual([1, 1]);
		});

		it.each([
			["a gap", [said(3)]],
			["a repeat", [said(1)]],
			["a step back within", [said(2), said(2)]],
		])("refuses %s", async (_, events) => {
			await using store = await open();
			const record = runRecord("run-1");
			await store.ports.log.insertRun(record, acceptance(record));
			await expect(store.ports.log.append([appendOf(record, events)])).rejects.toMatchObject({ code: "EVENT_GAP" });
		});

		it("refuses events of an unknown run, and an append without events", async () => {
			await using store = await open();
			const { log } = store.ports;
			const record = runRecord("run-1");
			await expect(log.append([appendOf(record, [said(1)])])).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
			await log.insertRun(record, acceptance(record));
			await expect(log.append([appendOf(record, [])])).rejects.toMatchObject({ code: "APPEND_INVALID" });
		});

		it("refuses events after the terminal one, in a later append and in the same", async () => {
			await using store = await open();
			const { log } = store.ports;
			const record = runRecord("run-1");
			await log.insertRun(record, acceptance(record));
			const end = sealing(record, 2);
			await expect(log.append([{ ...end, events: [...end.events, said(3)] }])).rejects.toMatchObject({ code: "RUN_SEALED" });
			await log.append([end]);
			await expect(log.append([appendOf(record, [said(3)])])).rejects.toMatchObject({ code: "RUN_SEALED" });
			await expect(log.append([sealing(record, 3)])).rejects.toMatchObject({ code: "RUN_SEALED" });
		});

		it("returns what agents said byte for byte, even what is no text", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await store.ports.log.insertRun(record, acceptance(record));
			const event = said(2, "\u0000 \ud83d \u001b[31m \u2028 '; DROP TABLE event; --");
			await store.ports.log.append([appendOf(record, [event])]);
			expect(await store.ports.log.readEvents(record.runId, 1, 1)).toEqual([event]);
		});

		it("returns the texts of events as they were written, in pages that end at a size", async () => {
			await using store = await open();
			const { log } = store.ports;
			const record = runRecord("run-1");
			await log.insertRun(record, acceptance(record));
			const events = [2, 3, 4, 5].map((seq) => ({ ...said(seq, "x".repeat(100)), text: `{"type":"said", "update":${seq}}` }));
			await log.append([appendOf(record, events)]);
			const texts = events.map(({ event: _parsed, ...text }) => text);
			expect(await log.readTexts(record.runId, 1, 1_000)).toEqual(texts);
			expect(await log.readTexts(record.runId, 1, 50)).toEqual(texts.slice(0, 2));
			expect(await log.readTexts(record.runId, 4, 1)).toEqual(texts.slice(3));
			expect(await log.readTexts(record.runId, 5, 1)).toEqual([]);
		});

		it("frames what is shown unparsed as it was written, for any texts, and leaves out everything else", BOUND, async () => {
			// One store for all cases: each would flush to the disk.
			await using store = await open();
			const { log } = store.ports;
			let runs = 0;
			const text = fc.string({ unit: "binary", maxLength: 40 });
			await fc.assert(
				fc.asyncProperty(
					fc.array(fc.tuple(fc.constantFrom("said", "receipt", "other"), text), { minLength: 1, maxLength: 12 }),
					async (plan) => {
						const record = runRecord(`run-${++runs}`);
						await log.insertRun(record, acceptance(record));
						const events = plan.map(([type, text], index) => ({ ...said(index + 2), text: storedAs(type, text) }));
						await log.append([appendOf(record, events)]);
						const frames = plan.map(([type, text], index) => frameOf(index + 2, type, text));
						for (const [index] of plan.entries()) {
							const read = await log.readFrames(record.runId, index + 1, form);
							const end = frames.indexOf(undefined, index);
							const expected = frames.slice(index, end < 0 ? undefined : end).join("");
							expect(read?.bytes.toString() ?? "").toBe(expected);
							if (read !== undefined) expect(read.lastSeq).toBe((end < 0 ? plan.length : end) + 1);
						}
						expect(await log.readFrames(record.runId, plan.length + 1, form)).toBeUndefined();
					},
				),
				{ numRuns: 20 },
			);
		});

		it("frames a hundred events at once, fewer large ones, and one of any size", async () => {
			await using store = await open();
			const { log } = store.ports;
			const record = runRecord("run-1");
			await log.insertRun(record, acceptance(record));
			const sizes = [...Array.from({ length: 600 }, () => 10), 300_000, ...Array.from({ length: 8 }, () => 30_000)];
			const events = sizes.map((size, index) => ({ ...said(index + 2), text: storedAs("said", "x".repeat(size)) }));
			await log.append([appendOf(record, events)]);
			const pages: number[] = [];
			for (let after = 1; ; ) {
				const page = await log.readFrames(record.runId, after, form);
				if (page === undefined) break;
				pages.push(page.lastSeq - after);
				after = page.lastSeq;
			}
			expect(pages).toEqual([128, 128, 128, 128, 64, 16, 8, 1, 2, 2, 2, 2]);
		});
	});
}
