import type { LedgerEntry, ProcessLedger } from "../../../../src/ports/agents/process-ledger.ts";

export class MemoryLedger implements ProcessLedger {
	readonly entries = new Map<number, LedgerEntry>();

	async add(entry: LedgerEntry): Promise<void> {
		this.entries.set(entry.pid, entry);
	}

	async remove(pid: number): Promise<void> {
		this.entries.delete(pid);
	}

	async list(): Promise<readonly LedgerEntry[]> {
		return [...this.entries.values()];
	}
}
