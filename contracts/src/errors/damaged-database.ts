/** What to do about a damaged database of the app or the bridge. `instead`: what a new database will lack. */
export function restoreDatabase(instead: string): string {
	return `Stop XWorkmate, then restore the file from a backup, or move it away with its -wal and -shm files to start ${instead}.`;
}
