import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes renames into a directory durable. Windows cannot sync a directory and does not need to. */
export function syncDirectory(path: string): void {
	if (process.platform === "win32") return;
	const descriptor = openSync(path, "r");
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
