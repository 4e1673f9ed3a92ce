import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { acceptance, appendOf, artifact, runRecord, said, sealing } from "./contracts/run-fixture.ts";
import { openSqliteUnderTest } from "./sqlite-store-under-test.ts";

/** A file with a sealed run (key 1, seq 1..2) and an unfinished one (key 2, seq 1..2), opened beside the store. */
async function fileWithRuns(): Promise<AsyncDisposable & { readonly db: Database.Database }> {
	const store = await openSqliteUnderTest();
	const [ended, unfinished] = [runRecord("ended"), runRecord("unfinished")];
	for (const record of [ended, unfinished]) await store.ports.log.insertRun(record, acceptance(record));
	await store.ports.log.append([sealing(ended, 2, [artifact(ended, "a.md")]), appendOf(unfinished, [said(2)])]);
	const db = new Database(join(store.home, DATABASE_FILE));
	return {
		db,
		[Symbol.asyncDispose]: async () => {
			db.close();
			await store[Symbol.asyncDispose]();
		},
	};
}

const eventRow = (run: number, seq: number) => `(run, seq, at, status, body) VALUES (${run}, ${seq}, '', 'running', '{}')`;

describe("the file holds the rules of the log against any writer", () => {
	it.each([
		["a changed event", "UPDATE event SET body = '{}' WHERE run = 2", "event rows never change"],
		["a changed intent", "UPDATE run SET record = '{}'", "run rows never change"],
		["a changed snapshot", "UPDATE sealed SET snapshot = '{}'", "sealed rows never change"],
		["a changed artifact", "UPDATE artifact SET body = '{}'", "artifact rows never change"],
		["a changed state of a sealed run", "UPDATE run_state SET status = 'failed' WHERE run = 1", "the run is sealed"],
		["a deleted event", "DELETE FROM event WHERE run = 2 AND seq = 2", "deleted with their thread only"],
		["a deleted snapshot", "DELETE FROM sealed", "deleted with their thread only"],
		["a deleted artifact", "DELETE FROM artifact", "deleted with their thread only"],
		["a deleted run", "DELETE FROM run WHERE id = 2", "deleted with their thread only"],
		["a deletion while another thread goes", "INSERT INTO deleting VALUES ('other'); DELETE FROM event", "deleted with their thread only"],
		["an event after the terminal one", `INSERT INTO event ${eventRow(1, 3)}`, "the run has ended"],
		["a gap", `INSERT INTO event ${eventRow(2, 4)}`, "must follow the last one"],
		["a repeated seq", `INSERT INTO event ${eventRow(2, 2)}`, "must follow the last one"],
		["a replaced event", `INSERT OR REPLACE INTO event ${eventRow(2, 2)}`, "must follow the last one"],
		["an event before the first", `INSERT INTO event ${eventRow(2, 0)}`, "must follow the last one"],
		["an event of no run", `INSERT INTO event ${eventRow(9, 1)}`, "FOREIGN KEY"],
		["an unknown status", "INSERT INTO event (run, seq, at, status, body) VALUES (2, 3, '', 'canceled', '{}')", "CHECK"],
		["a second snapshot", "INSERT OR REPLACE INTO sealed VALUES (1, '{}')", "the run is sealed"],
		["a snapshot before the end", "INSERT INTO sealed VALUES (2, '{}')", "sealed with its terminal event"],
		["an artifact after the seal", "INSERT INTO artifact VALUES (1, 'b.md', '{}')", "the run is sealed"],
	])("refuses %s", async (_, sql, reason) => {
		await using file = await fileWithRuns();
		const content = () =>
			["run", "event", "run_state", "sealed", "artifact"].map((table) => file.db.prepare(`SELECT * FROM ${table}`).all());
		const before = content();
		expect(() => file.db.exec(sql)).toThrow(reason);
		expect(content()).toEqual(before);
	});
});
