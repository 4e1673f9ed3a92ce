import { type RunStatus, ThreadId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunLogStore, RunQuery, RunStore } from "../../../src/ports/runs/run-store.ts";
import { deleteThread } from "./delete-thread.ts";
import { acceptance, runRecord, sealing } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

type Filter = Pick<RunQuery, "threadId" | "status">;

async function listWhole(runs: RunStore, filter: Filter, limit: number): Promise<string[]> {
	const ids: string[] = [];
	let cursor: string | undefined;
	do {
		const page = await runs.listRuns({ ...filter, limit, ...(cursor === undefined ? {} : { cursor }) });
		expect(page.items.length).toBeLessThanOrEqual(limit);
		ids.push(...page.items.map((item) => item.runId));
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return ids;
}

async function fill(log: RunLogStore, count: number): Promise<void> {
	for (let index = 0; index < count; index++) {
		const record = runRecord(`run-${index}`, `thread-${index % 2}`);
		await log.insertRun(record, acceptance(record));
	}
}

// Every case of a property is its own store, with real flushes to the disk.
const BOUND = { timeout: 30_000 };

const plans = fc.array(fc.record({ thread: fc.nat({ max: 2 }), ended: fc.boolean() }), { maxLength: 20 });
const filters = fc.record({ thread: fc.option(fc.nat({ max: 2 })), status: fc.option(fc.constantFrom<RunStatus>("queued", "completed")) });

export function runListContract(name: string, open: OpenStore): void {
	describe(`${name}: lists`, () => {
		it("covers each run of the filter exactly once, newest first, for any page size", BOUND, async () => {
			await fc.assert(
				fc.asyncProperty(plans, filters, fc.integer({ min: 1, max: 6 }), async (plan, { thread, status }, limit) => {
					await using store = await open();
					const { log, runs } = store.ports;
					for (const [index, { thread: of, ended }] of plan.entries()) {
						const record = runRecord(`run-${index}`, `thread-${of}`);
						await log.insertRun(record, acceptance(record));
						if (ended) await log.append([sealing(record, 2)]);
					}
					const filter: Filter = {
						...(thread === null ? {} : { threadId: ThreadId.parse(`thread-${thread}`) }),
						...(status === null ? {} : { status }),
					};
					const expected = [...plan.entries()]
						.filter(([, run]) => thread === null || run.thread === thread)
						.filter(([, run]) => status === null || run.ended === (status === "completed"))
						.map(([index]) => `run-${index}`)
						.reverse();
					expect(await listWhole(runs, filter, limit)).toEqual(expected);
				}),
				{ numRuns: 15 },
			);
		});

		it("neither repeats nor hides a run when others are added or deleted between two pages", async () => {
			await using store = await open();
			const { log, runs } = store.ports;
			await fill(log, 6);
			const first = await runs.listRuns({ limit: 3 });
			const late = runRecord("late", "thread-late");
			await log.insertRun(late, acceptance(late));
			await deleteThread(store.ports, ThreadId.parse("thread-1"));
			const second = await runs.listRuns({ limit: 3, cursor: first.nextCursor ?? "" });
			expect(first.items.map((item) => item.runId)).toEqual(["run-5", "run-4", "run-3"]);
			expect(second.items.map((item) => item.runId)).toEqual(["run-2", "run-0"]);
		});

		it("refuses a cursor of another list or another filter", async () => {
			await using store = await open();
			const { log, runs, approvals } = store.ports;
			await fill(log, 6);
			const cursor = (await runs.listRuns({ limit: 2 })).nextCursor ?? "";
			const refused = { name: "ContractError", code: "INVALID_PARAMS" };
			await expect(runs.listRuns({ limit: 2, cursor, status: "queued" })).rejects.toMatchObject(refused);
			await expect(runs.listRuns({ limit: 2, cursor, threadId: ThreadId.parse("thread-0") })).rejects.toMatchObject(refused);
			await expect(approvals.listApprovals({ limit: 2, cursor })).rejects.toMatchObject(refused);
		});

		it("refuses a damaged cursor", async () => {
			await using store = await open();
			const { log, runs } = store.ports;
			await fill(log, 3);
			const cursor = (await runs.listRuns({ limit: 2 })).nextCursor ?? "";
			const damaged = fc
				.record({ at: fc.nat({ max: cursor.length - 1 }), by: fc.constantFrom("A", "z", "-", "=", " ", "\u0000", "") })
				.map(({ at, by }) => cursor.slice(0, at) + by + cursor.slice(at + 1))
				.filter((text) => text !== cursor);
			await fc.assert(
				fc.asyncProperty(fc.oneof(damaged, fc.string(), fc.base64String()), async (text) => {
					await expect(runs.listRuns({ limit: 2, cursor: text })).rejects.toMatchObject({ name: "ContractError", code: "INVALID_PARAMS" });
				}),
			);
		});
	});
}
