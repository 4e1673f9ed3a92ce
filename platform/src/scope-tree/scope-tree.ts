import type { BigIntStats } from "node:fs";

export interface Listing {
	/** Names as bytes, in byte order. */
	readonly names: readonly Buffer[];
	/** False when the directory holds more than was asked for. */
	readonly complete: boolean;
}

/** A directory tree that cannot be left: no call follows a link below its root. Synchronous, for a worker. */
export interface ScopeTree extends Disposable {
	/** Names in a directory, at most `limit`. */
	list(directory: readonly string[], limit: number): Listing;
	/** lstat of an entry. */
	stat(path: readonly string[]): BigIntStats;
	/** Whether something is mounted there: its bytes are not what the run wrote. */
	isMount(path: readonly string[], stat: BigIntStats): boolean;
	/** Opens a file to read. The descriptor is the caller's. @throws ScopeMovedError when it does not lie at this path. */
	open(path: readonly string[]): number;
	/** Drops what it remembers of directories, before a second attempt. */
	forget(): void;
}
