import type { BigIntStats } from "node:fs";

/** True when a file, described before and after it was read, holds the bytes that were read. */
export function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
	return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
