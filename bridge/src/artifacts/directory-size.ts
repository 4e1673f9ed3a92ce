import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";

/** Bytes of all files below a directory; 0 if it does not exist. */
export function directorySize(directory: string): number {
	let total = 0;
	for (const entry of entries(directory)) {
		const path = join(directory, entry.name);
		total += entry.isDirectory() ? directorySize(path) : lstatSync(path).size;
	}
	return total;
}

function entries(directory: string) {
	try {
		return readdirSync(directory, { withFileTypes: true });
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return [];
		throw error;
	}
}
