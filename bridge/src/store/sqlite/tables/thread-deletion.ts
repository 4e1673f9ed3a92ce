import type { ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { RunRecord } from "../../../ports/run-record.ts";
import { decodeRun } from "../rows/stored-json.ts";

const tablesOfRun = ["change", "event", "run_state", "sealed", "artifact", "run_bytes", "approval", "delivery"];

/** Removes a thread's runs and everything that belongs to them in one transaction; returns the runs, oldest first. */
export function createThreadDeletion(db: Database): (threadId: ThreadId) => readonly RunRecord[] {
	const runs = db.prepare<[string], { record: string }>("SELECT record FROM run WHERE thread_id = ? ORDER BY id");
	const steps = [
		// While this row exists, the triggers allow the thread's rows to be deleted.
		"INSERT INTO deleting (thread_id) VALUES (?)",
		...tablesOfRun.map((table) => `DELETE FROM ${table} WHERE run IN (SELECT id FROM run WHERE thread_id = ?)`),
		"DELETE FROM run WHERE thread_id = ?",
		"DELETE FROM deleting WHERE thread_id = ?",
	].map((sql) => db.prepare<[string]>(sql));
	const remove = db.transaction((threadId: ThreadId) => {
		const records = runs.all(threadId).map((row) => decodeRun(row.record));
		for (const step of steps) step.run(threadId);
		return records;
	});
	return (threadId) => remove.immediate(threadId);
}
