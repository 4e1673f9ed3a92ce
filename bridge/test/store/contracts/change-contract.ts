import { type ChangeCursor, type ChangePage, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { deleteThread } from "./delete-thread.ts";
import { acceptance, appendOf, approval, approvalEvent, runRecord, said, sealing, time } from "./run-fixture.ts";
import type { OpenStore, StorePorts } from "./store-under-test.ts";

/** Each change as one word: a run's status, or an approval's state. */
function words({ items }: ChangePage): readonly string[] {
	return items.map(({ change }) => {
		if (change.kind === "run") return `${change.run.runId} ${change.run.status}`;
		return change.kind === "approval" ? `${change.approval.approvalId} ${change.approval.state}` : change.kind;
	});
}

async function accepted({ log }: StorePorts, run: string, thread = "thread-1") {
	const record = runRecord(run, thread);
	await log.insertRun(record, acceptance(record));
	return record;
}

/** Everything after a cursor, page by page. */
async function readAll({ changes }: StorePorts, after: ChangeCursor | undefined, limit: number): Promise<readonly string[]> {
	const read: string[] = [];
	for (let cursor = after; ; ) {
		const page = await changes.read(cursor, limit);
		if (page.items.length === 0) return read;
		read.push(...words(page));
		cursor = page.cursor;
	}
}

export function changeContract(name: string, open: OpenStore): void {
	describe(`${name}: what changed`, () => {
		it("shows each run and each approval once, as it is now, in the order of their latest changes", async () => {
			await using store = await open();
			const { log, changes } = store.ports;
			const one = await accepted(store.ports, "run-1");
			const two = await accepted(store.ports, "run-2", "thread-2");
			const page = await changes.read(undefined, 10);
			expect(words(page)).toEqual(["run-1 queued", "run-2 queued"]);
			const asked = approval("a-1", one);
			const started = { ...said(2), event: { type: "started", deadlineAt: time(60) } } as const;
			await log.append([
				appendOf(one, [started, approvalEvent(3, asked), approvalEvent(4, { ...asked, state: "decided", decision: "deny" })]),
			]);
			expect(words(await changes.read(page.cursor, 10))).toEqual(["run-1 running", "a-1 decided"]);
			await log.append([sealing(one, 5)]);
			expect(words(await changes.read(undefined, 10))).toEqual(["run-2 queued", "a-1 decided", "run-1 completed"]);
			expect(two.runId).toBe("run-2");
		});

		it("is not moved by what a run only says", async () => {
			await using store = await open();
			const one = await accepted(store.ports, "run-1");
			const { cursor } = await store.ports.changes.read(undefined, 10);
			await store.ports.log.append([appendOf(one, [said(2), said(3)])]);
			expect(await store.ports.changes.read(cursor, 10)).toEqual({ items: [], cursor });
		});

		it("is read page by page and by the cursor of any item, also after the store was opened again", async () => {
			await using store = await open();
			for (let index = 1; index <= 7; index++) await accepted(store.ports, `run-${index}`, `thread-${index}`);
			const all = await readAll(store.ports, undefined, 3);
			expect(all).toHaveLength(7);
			const { items } = await store.ports.changes.read(undefined, 10);
			const again = await store.reopen();
			expect(await readAll(again, items[3]?.cursor, 2)).toEqual(all.slice(4));
		});

		it("never gives a number again that a deletion has freed", async () => {
			await using store = await open();
			await accepted(store.ports, "run-1");
			const last = await accepted(store.ports, "run-2", "thread-2");
			const { cursor } = await store.ports.changes.read(undefined, 10);
			await deleteThread(store.ports, last.threadId);
			const again = await store.reopen();
			await accepted(again, "run-3", "thread-3");
			expect(words(await again.changes.read(cursor, 10))).toEqual(["run-3 queued"]);
		});

		it("begins again for the cursor of another log, and for one beyond the end", async () => {
			await using store = await open();
			await using other = await open();
			await accepted(store.ports, "run-1");
			await accepted(other.ports, "run-1");
			const { cursor } = await other.ports.changes.read(undefined, 10);
			const page = await store.ports.changes.read(cursor, 10);
			expect(words(page)).toEqual(["resync", "run-1 queued"]);
			expect(page.items[0]?.cursor).toBe(page.cursor.replace(/\d+$/, "0"));
			expect(words(await store.ports.changes.read(page.cursor.replace(/\d+$/, "99"), 10))).toEqual(["resync", "run-1 queued"]);
			expect(words(await store.ports.changes.read(page.cursor, 10))).toEqual([]);
		});

		it("shows a grant again when it is revoked, once", async () => {
			await using store = await open();
			const { log, approvals, changes } = store.ports;
			const one = await accepted(store.ports, "run-1");
			const granted = approval("a-1", one, { state: "decided", decision: "allow_window", windowSeconds: 600, decidedAt: time(2) });
			await log.append([appendOf(one, [approvalEvent(2, granted)])]);
			const { cursor } = await changes.read(undefined, 10);
			await approvals.revokeGrant(granted.approvalId, time(3));
			const page = await changes.read(cursor, 10);
			expect(page.items.map(({ change }) => change)).toMatchObject([{ kind: "approval", approval: { revokedAt: time(3) } }]);
			await approvals.revokeGrant(granted.approvalId, time(4));
			expect((await changes.read(page.cursor, 10)).items).toEqual([]);
		});

		it("has nothing of what a transaction did not write", async () => {
			await using store = await open();
			const one = await accepted(store.ports, "run-1");
			const { cursor } = await store.ports.changes.read(undefined, 10);
			const unknown = { ...runRecord("run-2"), runId: RunId.parse("run-2") };
			await expect(store.ports.log.append([sealing(one, 2), sealing(unknown, 2)])).rejects.toThrow("There is no run");
			expect((await store.ports.changes.read(cursor, 10)).items).toEqual([]);
		});
	});
}
