import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { acceptance, appendOf, approval, approvalEvent, artifact, runRecord, said, sealing } from "./contracts/run-fixture.ts";

// Appends to three runs at a time and seals them, forever; a line of output is an acknowledged commit.

const store = openSqliteStore(process.argv[2] ?? "");

async function acknowledge(line: string): Promise<void> {
	await new Promise<void>((done) => process.stdout.write(`${line}\n`, () => done()));
}

for (let round = 0; ; round++) {
	const records = [0, 1, 2].map((index) => runRecord(`run-${round}-${index}`, `thread-${index}`));
	for (const record of records) {
		await store.log.insertRun(record, acceptance(record));
		await acknowledge(`${record.runId} 1`);
	}
	for (let seq = 2; seq < 20; seq += 3) {
		const asked = (record: (typeof records)[number]) => approvalEvent(seq + 2, approval(`a-${record.runId}-${seq + 2}`, record));
		await store.log.append(records.map((record) => appendOf(record, [said(seq), said(seq + 1), asked(record)])));
		for (const record of records) await acknowledge(`${record.runId} ${seq + 2}`);
	}
	await store.log.append(records.map((record) => sealing(record, 20, [artifact(record, "a.md"), artifact(record, "b.md")])));
	for (const record of records) await acknowledge(`${record.runId} 20`);
}
