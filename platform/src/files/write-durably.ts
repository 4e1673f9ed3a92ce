import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "../errors/system-error.ts";
import { makeFolder } from "./make-folder.ts";
import { WRITE_NEW_FILE } from "./open-flags.ts";
import { syncDirectory } from "./sync-directory.ts";

/**
 * Replaces a file atomically: after a power cut it holds either all of the old content or all of the new, and once this returns, the new. A
 * link at `path` is replaced, not followed. Mode 0600, missing folders 0700.
 */
export function writeDurably(path: string, content: string | Uint8Array): void {
	place(path, content, renameSync);
}

/**
 * Creates a file with the same guarantees. If the file exists, leaves it unchanged and returns false, so the first of several writers wins.
 */
export function createDurably(path: string, text: string): boolean {
	try {
		place(path, text, linkSync);
		return true;
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw error;
		return false;
	}
}

// The random part keeps worker threads and processes apart. The pid alone would not: processes in different containers may share one.
function place(path: string, content: string | Uint8Array, moveTo: (beside: string, path: string) => void): void {
	const folder = dirname(path);
	makeFolder(folder);
	const beside = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.new`;
	try {
		writeAndSync(beside, content);
		moveTo(beside, path);
	} finally {
		rmSync(beside, { force: true });
	}
	syncDirectory(folder);
}

function writeAndSync(path: string, content: string | Uint8Array): void {
	const file = openSync(path, WRITE_NEW_FILE, 0o600);
	try {
		writeFileSync(file, content);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}
