import type { RunId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { AttemptLedger } from "../../../ports/runs/attempt-ledger.ts";
import { answer } from "../rows/translate-error.ts";
import { unsynced } from "../rows/unsynced.ts";

interface Row {
	readonly runId: RunId;
	readonly deaths: number;
	readonly open: number;
}

/** Stores attempts in SQLite. A write is in the file when it resolves, and is synced to disk with the next commit of the log. */
export function createAttemptLedger(db: Database): AttemptLedger {
	const write = db.prepare<[string, number, number]>(
		`INSERT INTO attempt (run_id, deaths, open) VALUES (?, ?, ?)
		ON CONFLICT (run_id) DO UPDATE SET deaths = excluded.deaths, open = excluded.open`,
	);
	const remove = db.prepare<[string]>("DELETE FROM attempt WHERE run_id = ?");
	const list = db.prepare<[], Row>("SELECT run_id AS runId, deaths, open FROM attempt ORDER BY rowid");
	return {
		// Syncing each write would cost every run two syncs.
		write: ({ runId, deaths, open }) => answer(db.name, () => unsynced(db, () => void write.run(runId, deaths, open ? 1 : 0))),
		remove: (runId) => answer(db.name, () => unsynced(db, () => void remove.run(runId))),
		list: () => answer(db.name, () => list.all().map(({ open, ...row }) => ({ ...row, open: open === 1 }))),
	};
}
