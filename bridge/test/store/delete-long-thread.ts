import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { acceptance, appendOf, runRecord, said } from "./contracts/run-fixture.ts";

// Writes two threads of two long runs, begins to delete the first thread, and says so.

const store = openSqliteStore(process.argv[2] ?? "");
for (const thread of ["thread-1", "thread-2"]) {
	for (const run of ["a", "b"]) {
		const record = runRecord(`run-${run}-of-${thread}`, thread);
		await store.log.insertRun(record, acceptance(record));
		await store.log.append([
			appendOf(
				record,
				Array.from({ length: 20_000 }, (_, index) => said(index + 2)),
			),
		]);
	}
}
const { threadId } = runRecord("any", "thread-1");
await store.deletion.hide(threadId);
process.stdout.write("hidden\n");
await store.deletion.remove(threadId, async () => undefined);
store.close();
