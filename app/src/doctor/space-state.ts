import type { StorageSpace } from "@xworkmate/contracts";

const SCARCE_BYTES = 1024 ** 3;
/**
 * The limit for a disk of less than 10 GiB, as a fraction: such a disk may never have 1 GiB free, and users would ignore a permanent
 * warning.
 */
const SCARCE_PART = 0.1;
const LOW_PART = 0.05;

/**
 * Warns before a disk is full. `scarce`: below 1 GiB, below 10% of a small disk, or too little for a run as large as the largest recent
 * one. `low`: below 5% of a large disk.
 */
export function spaceState({ freeBytes, totalBytes, neededBytes = 0 }: StorageSpace): "enough" | "low" | "scarce" {
	if (freeBytes < Math.max(Math.min(SCARCE_BYTES, totalBytes * SCARCE_PART), neededBytes)) return "scarce";
	return freeBytes < totalBytes * LOW_PART ? "low" : "enough";
}
