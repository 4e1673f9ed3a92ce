/** A child process group that must not outlive the bridge. */
export interface LedgerEntry {
	readonly pid: number;
	/** Start time as the kernel tells it (`/proc/<pid>/stat` field 22, or `ps -o lstart`): pids are reused. */
	readonly startTime: string;
	readonly label: string;
}

/** Remembers child processes across a crash of the bridge, so that the next start can end them. */
export interface ProcessLedger {
	add(entry: LedgerEntry): Promise<void>;
	remove(pid: number): Promise<void>;
	list(): Promise<readonly LedgerEntry[]>;
}
