import type { StorageSpace } from "@xworkmate/contracts";

const SCARCE_BYTES = 1024 ** 3;
/** A disk of a few GiB never has that much free space, and a permanent warning would be ignored. */
const SCARCE_PART = 0.1;
const LOW_PART = 0.05;

/**
 * Warns before a disk is full: `scarce` below 1 GiB, or below 10 % of a small disk, or when a run like the largest of the latest might not
 * find room; `low` below 5 % of a large one.
 */
export function spaceState({ freeBytes, totalBytes, neededBytes = 0 }: StorageSpace): "enough" | "low" | "scarce" {
	if (freeBytes < Math.max(Math.min(SCARCE_BYTES, totalBytes * SCARCE_PART), neededBytes)) return "scarce";
	return freeBytes < totalBytes * LOW_PART ? "low" : "enough";
}
