import type { LedgerEntry, ProcessLedger } from "../../ports/agents/process-ledger.ts";
import { endGroup } from "./process-group-end.ts";

const GRACE_MS = 1_000;

/**
 * Ends the processes that an earlier bridge left running, at the start of the next one. A pid that now belongs to another process is left
 * alone. Returns the entries that could not be ended; they stay in the ledger.
 */
export async function endLeftoverProcesses(ledger: ProcessLedger): Promise<readonly LedgerEntry[]> {
	const entries = await ledger.list();
	const ended = await Promise.all(entries.map((entry) => endLeftover(ledger, entry)));
	return entries.filter((_, index) => !ended[index]);
}

async function endLeftover(ledger: ProcessLedger, entry: LedgerEntry): Promise<boolean> {
	const gone = await endGroup(entry, GRACE_MS);
	if (gone) await ledger.remove(entry.pid);
	return gone;
}
