import type { RunId, ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";

const tablesOfRun = ["event", "run_state", "sealed", "artifact", "run_bytes", "approval", "delivery"];

/** Removes a thread's runs and all that belongs to them in one transaction; returns the run ids, oldest first. */
export function createThreadDeletion(db: Database): (threadId: ThreadId) => readonly RunId[] {
	const runs = db.prepare<[string], { runId: RunId }>("SELECT run_id AS runId FROM run WHERE thread_id = ? ORDER BY id");
	const steps = [
		// While the thread stands here the triggers let its rows go.
		"INSERT INTO deleting (thread_id) VALUES (?)",
		...tablesOfRun.map((table) => `DELETE FROM ${table} WHERE run IN (SELECT id FROM run WHERE thread_id = ?)`),
		"DELETE FROM run WHERE thread_id = ?",
		"DELETE FROM deleting WHERE thread_id = ?",
	].map((sql) => db.prepare<[string]>(sql));
	const remove = db.transaction((threadId: ThreadId) => {
		const runIds = runs.all(threadId).map((row) => row.runId);
		for (const step of steps) step.run(threadId);
		return runIds;
	});
	return (threadId) => remove.immediate(threadId);
}
