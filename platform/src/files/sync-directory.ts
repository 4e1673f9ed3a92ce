import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes durable what was created, renamed or removed in a directory. Windows cannot sync a directory and does not need to. */
export function syncDirectory(path: string): void {
	if (process.platform === "win32") return;
	const descriptor = openSync(path, "r");
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
