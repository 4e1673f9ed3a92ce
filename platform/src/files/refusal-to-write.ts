import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../errors/system-error.ts";

/** Larger than a page of the database together with its frame in the WAL. */
const PROBE = Buffer.alloc(8 * 1024);

/**
 * Tries to write to a folder. Returns the code of the system's error (`ENOSPC`, `EDQUOT`, `EROFS`, `EACCES`, ...), or undefined if the
 * write succeeds.
 */
export function refusalToWrite(directory: string): string | undefined {
	const path = join(directory, `.probe-${randomUUID()}`);
	try {
		const file = openSync(path, "wx", 0o600);
		try {
			writeSync(file, PROBE);
			fsyncSync(file);
		} finally {
			closeSync(file);
			rmSync(path, { force: true });
		}
		return undefined;
	} catch (error) {
		return systemErrorCode(error);
	}
}
