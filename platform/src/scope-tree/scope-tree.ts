import type { BigIntStats } from "node:fs";

export interface Listing {
	/** Names as bytes, in byte order. */
	readonly names: readonly Buffer[];
	/** False if the directory holds more names than the limit. */
	readonly complete: boolean;
}

/** A directory tree that no path can lead out of: no call follows a link below the root. Synchronous, for use in a worker. */
export interface ScopeTree extends Disposable {
	/** Names in a directory, at most `limit`. */
	list(directory: readonly string[], limit: number): Listing;
	/** lstat of an entry. */
	stat(path: readonly string[]): BigIntStats;
	/** Whether something is mounted at the path. What a mount contains may come from anywhere, so it does not count. */
	isMount(path: readonly string[], stat: BigIntStats): boolean;
	/**
	 * Opens a file for reading. The caller closes the descriptor.
	 * @throws ScopeMovedError if the file is not at this path
	 */
	open(path: readonly string[]): number;
	/** Drops cached directories before a second attempt. */
	forget(): void;
}
