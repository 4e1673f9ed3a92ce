import type { Database } from "better-sqlite3";
import type { LedgerEntry, ProcessLedger } from "../../../ports/agents/process-ledger.ts";
import { answer } from "../rows/translate-error.ts";

/** Records the bridge's child processes in SQLite, on disk before `add` resolves. */
export function createProcessLedger(db: Database): ProcessLedger {
	// An existing entry with the same pid belongs to a dead process, because pids are reused.
	const add = db.prepare<[number, string, string]>(
		`INSERT INTO child_process (pid, start_time, label) VALUES (?, ?, ?)
		ON CONFLICT (pid) DO UPDATE SET start_time = excluded.start_time, label = excluded.label`,
	);
	const remove = db.prepare<[number]>("DELETE FROM child_process WHERE pid = ?");
	const list = db.prepare<[], LedgerEntry>("SELECT pid, start_time AS startTime, label FROM child_process ORDER BY pid");
	return {
		add: (entry) => answer(db.name, () => void add.run(entry.pid, entry.startTime, entry.label)),
		remove: (pid) => answer(db.name, () => void remove.run(pid)),
		list: () => answer(db.name, () => list.all()),
	};
}
