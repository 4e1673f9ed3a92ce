/** A child process group that must not outlive the bridge. */
export interface LedgerEntry {
	readonly pid: number;
	/** Start time as the kernel reports it (`/proc/<pid>/stat` field 22, or `ps -o lstart`), because pids are reused. */
	readonly startTime: string;
	readonly label: string;
}

/** Records child processes, so that the next start can end them after a crash of the bridge. */
export interface ProcessLedger {
	add(entry: LedgerEntry): Promise<void>;
	remove(pid: number): Promise<void>;
	list(): Promise<readonly LedgerEntry[]>;
}
