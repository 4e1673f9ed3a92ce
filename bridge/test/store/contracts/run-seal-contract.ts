import { compareBytes, type TerminalStatus } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { deleteThread } from "./delete-thread.ts";
import { acceptance, appendOf, artifact, runRecord, said, sealing, time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

// In UTF-16 order the last two would be the other way round.
const paths = ["B.md", "a/b.md", "a.md", "z.md", "é.md", "\uffee.md", "\u{10000}.md"];

export function runSealContract(name: string, open: OpenStore): void {
	describe(`${name}: what a run ended with`, () => {
		it("keeps the terminal snapshot as sealed, across a restart", async () => {
			await using store = await open();
			const record = runRecord("run-1");
			await store.ports.log.insertRun(record, acceptance(record));
			const end = sealing(record, 2, [artifact(record, "report.md")]);
			expect(await store.ports.runs.sealedSnapshot(record.runId)).toBeUndefined();
			await store.ports.log.append([end]);
			const { runs } = await store.reopen();
			expect(await runs.sealedSnapshot(record.runId)).toEqual(end.sealed?.snapshot);
			expect((await runs.listRuns({ limit: 1 })).items).toEqual([end.summary]);
		});

		it("knows a thread's last delivery: of what succeeded, with files, of this thread", async () => {
			await using store = await open();
			const { log, artifacts } = store.ports;
			const end = async (id: string, thread: string, files: readonly string[], status?: TerminalStatus) => {
				const record = runRecord(id, thread);
				await log.insertRun(record, acceptance(record));
				await log.append([
					sealing(
						record,
						2,
						files.map((path) => artifact(record, path)),
						status,
					),
				]);
				return record;
			};
			const { threadId } = await end("run-1", "thread-1", []);
			expect(await artifacts.lastArtifactRun(threadId)).toBeUndefined();
			const { runId } = await end("run-2", "thread-1", ["report.md"]);
			await end("run-3", "thread-1", ["partial.md"], "failed");
			await end("run-4", "thread-1", []);
			await end("run-5", "thread-2", ["other.md"]);
			expect(await artifacts.lastArtifactRun(threadId)).toBe(runId);
			await deleteThread(store.ports, threadId);
			expect(await artifacts.lastArtifactRun(threadId)).toBeUndefined();
		});

		it("seals with the terminal event and only then", async () => {
			await using store = await open();
			const { log, runs } = store.ports;
			const record = runRecord("run-1");
			await log.insertRun(record, acceptance(record));
			const { sealed, ...unsealed } = sealing(record, 2);
			await expect(log.append([unsealed])).rejects.toMatchObject({ code: "APPEND_INVALID" });
			if (sealed === undefined) throw new Error("the fixture seals");
			await expect(log.append([{ ...appendOf(record, [said(2)]), sealed }])).rejects.toMatchObject({ code: "APPEND_INVALID" });
			expect(await runs.sealedSnapshot(record.runId)).toBeUndefined();
		});

		it("reads artifacts in byte order, in pages that make the whole", async () => {
			await using store = await open();
			const { log, artifacts } = store.ports;
			const record = runRecord("run-1");
			await log.insertRun(record, acceptance(record));
			await log.append([
				sealing(
					record,
					2,
					paths.map((path) => artifact(record, path)),
				),
			]);
			const read: string[] = [];
			for (;;) {
				const page = await artifacts.readArtifacts(record.runId, read.at(-1), 2);
				read.push(...page.map((item) => item.relativePath));
				if (page.length < 2) break;
			}
			expect(read).toEqual([...paths].sort(compareBytes));
		});

		it("finds one artifact of the run it belongs to by its exact path", async () => {
			await using store = await open();
			const { log, artifacts } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2")];
			const file = artifact(one, "out/report.md", 12);
			for (const record of [one, two]) await log.insertRun(record, acceptance(record));
			await log.append([sealing(one, 2, [file]), sealing(two, 2)]);
			expect(await artifacts.findArtifact(one.runId, "out/report.md")).toEqual(file);
			expect(await artifacts.findArtifact(one.runId, "OUT/report.md")).toBeUndefined();
			expect(await artifacts.findArtifact(two.runId, "out/report.md")).toBeUndefined();
		});

		it("expires the oldest runs in parts until the rest fits, and knows whose bytes are still to be removed", async () => {
			await using store = await open();
			const { log, artifacts } = store.ports;
			const [one, two, three, empty] = [runRecord("run-1"), runRecord("run-2"), runRecord("run-3"), runRecord("run-4")];
			for (const record of [one, two, three, empty]) await log.insertRun(record, acceptance(record));
			await log.append([appendOf(one, [said(2)]), sealing(two, 2, [artifact(two, "b", 7)]), sealing(empty, 2)]);
			await log.append([sealing(one, 3, [artifact(one, "a", 5)]), appendOf(three, [said(2), said(3)])]);
			await log.append([sealing(three, 4, [artifact(three, "c", 1)])]);
			const bounds = { maxAgeMs: 1_000_000, maxBytes: 3, now: Date.parse(time(5)) };
			await artifacts.expire(bounds, 1);
			expect(await artifacts.expiredWithBytes(9)).toEqual([two.runId]);
			await artifacts.expire(bounds, 1);
			await artifacts.expire(bounds, 1);
			const { artifacts: reopened, runs } = await store.reopen();
			expect(await reopened.expiredWithBytes(1)).toHaveLength(1);
			expect((await reopened.expiredWithBytes(9)).toSorted()).toEqual([one.runId, two.runId]);
			await reopened.bytesRemoved([one.runId, two.runId]);
			expect(await reopened.expiredWithBytes(9)).toEqual([]);
			const all = [one, two, three, empty].map(({ runId }) => reopened.isExpired(runId));
			expect(await Promise.all(all)).toEqual([true, true, false, false]);
			expect(await runs.sealedSnapshot(two.runId)).toBeDefined();
		});

		it("expires what is too old, whatever its size, and nothing that is not", async () => {
			await using store = await open();
			const { log, artifacts } = store.ports;
			const [one, two] = [runRecord("run-1"), runRecord("run-2")];
			for (const record of [one, two]) await log.insertRun(record, acceptance(record));
			await log.append([sealing(one, 2, [artifact(one, "a")]), appendOf(two, [said(2), said(3)])]);
			await log.append([sealing(two, 4, [artifact(two, "b")])]);
			await artifacts.expire({ maxAgeMs: 3000, maxBytes: 100, now: Date.parse(time(6)) }, 10);
			expect(await artifacts.expiredWithBytes(9)).toEqual([one.runId]);
			await artifacts.expire({ maxAgeMs: 1000, maxBytes: 100, now: Date.parse(time(6)) }, 10);
			expect(await artifacts.expiredWithBytes(9)).toEqual([one.runId, two.runId]);
		});
	});
}
