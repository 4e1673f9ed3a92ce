import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { syncDirectory } from "@xworkmate/platform/files";

/**
 * Writes a file so that after a power cut it holds the old text or the new one, whole: written beside it,
 * synced, renamed, the folder synced. Mode 0600, folders 0700.
 */
export function writeDurably(path: string, text: string): void {
	const folder = dirname(path);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const staged = `${path}.new`;
	const file = openSync(staged, "w", 0o600);
	try {
		writeFileSync(file, text);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	renameSync(staged, path);
	syncDirectory(folder);
}

/** The text of a file, or undefined when there is none. */
export function readIfThere(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return undefined;
		throw error;
	}
}
