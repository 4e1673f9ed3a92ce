/** A child process group that must not outlive the bridge. */
export interface LedgerEntry {
	readonly pid: number;
	/** The start time of the process, because pids are reused: field 22 of `/proc/<pid>/stat` with the id of the boot, or `ps -o lstart`. */
	readonly startTime: string;
	readonly label: string;
}

/** Records child processes, so that the next start can end them after a crash of the bridge. */
export interface ProcessLedger {
	add(entry: LedgerEntry): Promise<void>;
	remove(pid: number): Promise<void>;
	list(): Promise<readonly LedgerEntry[]>;
}
