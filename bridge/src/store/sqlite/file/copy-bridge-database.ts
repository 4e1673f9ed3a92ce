import { join } from "node:path";
import type { LedgerEnd } from "@xworkmate/contracts";
import { copyDatabase } from "@xworkmate/platform/sqlite";
import type Database from "better-sqlite3";
import { DATABASE_FILE } from "./bridge-database.ts";

/**
 * Copies the database of a bridge's home into a folder. The records of this machine's processes are left out, because other processes may
 * have the same ids later. Resolves to the number and hash of the last line of the receipt ledger that the copy covers, if there is one.
 */
export async function copyBridgeDatabase(bridgeHome: string, into: string): Promise<LedgerEnd | undefined> {
	let end: LedgerEnd | undefined;
	await copyDatabase(join(bridgeHome, DATABASE_FILE), join(into, DATABASE_FILE), (copy) => {
		// A database of an earlier version lacks some tables.
		if (has(copy, "child_process")) copy.exec("DELETE FROM child_process");
		if (has(copy, "receipt_ledger")) end = copy.prepare<[], LedgerEnd>("SELECT n, hash FROM receipt_ledger WHERE only = 1").get();
	});
	return end;
}

function has(db: Database.Database, table: string): boolean {
	return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined;
}
