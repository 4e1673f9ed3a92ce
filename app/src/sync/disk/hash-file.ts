import { createHash } from "node:crypto";
import type { DiskOperations } from "./disk-operations.ts";

const BUFFER_BYTES = 1024 * 1024;

/**
 * The buffer is shared, because allocating a megabyte for each small file costs more than its hash. Hashing is synchronous, so only one
 * file uses the buffer at a time.
 */
const buffer = new Uint8Array(BUFFER_BYTES);

/** The sha256 of a regular file, in lowercase hex. The file is read in pieces, so that it is never held in memory as a whole. */
export function hashFile(disk: DiskOperations, path: string): string {
	const hash = createHash("sha256");
	const descriptor = disk.openToRead(path);
	try {
		for (let read = disk.read(descriptor, buffer); read > 0; read = disk.read(descriptor, buffer)) hash.update(buffer.subarray(0, read));
	} finally {
		disk.close(descriptor);
	}
	return hash.digest("hex");
}
