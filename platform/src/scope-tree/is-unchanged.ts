import type { BigIntStats } from "node:fs";

/** True if the file did not change during a read, judging by its metadata before and after. */
export function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
	return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
