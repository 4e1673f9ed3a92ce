import type { BigIntStats } from "node:fs";

export interface Listing {
	/** Names as bytes, in byte order. */
	readonly names: readonly Buffer[];
	/** False when the folder holds more than was asked for. */
	readonly complete: boolean;
}

/** A folder tree that cannot be left: no call follows a link below its root. */
export interface ScopeTree extends Disposable {
	/** Names in a folder, at most `limit`. */
	list(folder: readonly string[], limit: number): Listing;
	/** lstat of an entry. */
	stat(path: readonly string[]): BigIntStats;
	/** Opens a file to read; the descriptor is the caller's. @throws ScopeMovedError when it does not lie at this path */
	open(path: readonly string[]): number;
	/** Drops what it remembers of folders, before a second attempt. */
	forget(): void;
}
