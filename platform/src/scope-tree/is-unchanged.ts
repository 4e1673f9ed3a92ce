import type { BigIntStats } from "node:fs";

/** True if the bytes that were read are those of the file, judging by its metadata before and after the read. */
export function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
	return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
