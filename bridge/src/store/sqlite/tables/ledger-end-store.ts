import type { LedgerEnd } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { LedgerEndStore } from "../../../ports/tools/receipt-store.ts";
import { answer } from "../rows/translate-error.ts";
import { unsynced } from "../rows/unsynced.ts";

/** Stores the number and the hash of the ledger's last line, in SQLite. */
export function createLedgerEndStore(db: Database): LedgerEndStore {
	const read = db.prepare<[], LedgerEnd>("SELECT n, hash FROM receipt_ledger WHERE only = 1");
	const write = db.prepare<[number, string]>(
		"INSERT INTO receipt_ledger (only, n, hash) VALUES (1, ?, ?) ON CONFLICT (only) DO UPDATE SET n = excluded.n, hash = excluded.hash",
	);
	return {
		read: () => answer(db.name, () => read.get()),
		write: ({ n, hash }) => answer(db.name, () => unsynced(db, () => void write.run(n, hash))),
	};
}
