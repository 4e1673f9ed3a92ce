import type { LedgerEntry, ProcessLedger } from "../../ports/agents/process-ledger.ts";
import { endGroup } from "./process-group-end.ts";
import { type ProcessTable, processTable } from "./process-group-table.ts";

const GRACE_MS = 1_000;

/**
 * Called when a bridge starts. Ends the processes that an earlier bridge left running; a pid that now belongs to another process is left
 * alone. Returns the entries of processes that may still be running, which stay in the ledger.
 */
export async function endLeftoverProcesses(
	ledger: ProcessLedger,
	table: Pick<ProcessTable, "list"> = processTable,
): Promise<readonly LedgerEntry[]> {
	const entries = await ledger.list();
	const ended = await Promise.all(entries.map((entry) => endLeftover(ledger, entry, table)));
	return entries.filter((_, index) => !ended[index]);
}

async function endLeftover(ledger: ProcessLedger, entry: LedgerEntry, table: Pick<ProcessTable, "list">): Promise<boolean> {
	const gone = await endGroup(entry, GRACE_MS, [], table);
	if (gone) await ledger.remove(entry.pid);
	return gone;
}
