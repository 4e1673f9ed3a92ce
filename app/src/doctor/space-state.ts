import type { StorageSpace } from "@xworkmate/contracts";

const SCARCE_BYTES = 1024 ** 3;
const LOW_PART = 0.05;

/** Warns before a disk is full: `scarce` below 1 GiB, `low` below 5 %. */
export function spaceState({ freeBytes, totalBytes }: StorageSpace): "enough" | "low" | "scarce" {
	if (freeBytes < SCARCE_BYTES) return "scarce";
	return freeBytes < totalBytes * LOW_PART ? "low" : "enough";
}
