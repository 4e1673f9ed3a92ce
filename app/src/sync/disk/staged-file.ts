import { createHash, type Hash, hash } from "node:crypto";
import type { DiskOperations } from "./disk-operations.ts";
import type { WantedFile } from "./sync-disk.ts";
import { FileProblem } from "./sync-problem.ts";

/**
 * Writes a file that arrived in one chunk.
 * @throws FileProblem WRONG_SIZE, WRONG_HASH before anything is written
 */
export function stageWhole(disk: DiskOperations, path: string, wanted: WantedFile, bytes: Uint8Array): void {
	check(wanted, bytes.length, hash("sha256", bytes, "hex"));
	const descriptor = disk.create(path);
	try {
		disk.write(descriptor, bytes);
	} finally {
		disk.close(descriptor);
	}
}

/** A file that is being received, written and hashed chunk by chunk. */
export class StagedFile {
	readonly #disk: DiskOperations;
	readonly #wanted: WantedFile;
	readonly #descriptor: number;
	readonly #hash: Hash = createHash("sha256");
	#size = 0;

	constructor(disk: DiskOperations, path: string, wanted: WantedFile) {
		this.#disk = disk;
		this.#wanted = wanted;
		this.#descriptor = disk.create(path);
	}

	append(bytes: Uint8Array): void {
		this.#size += bytes.length;
		if (this.#size > this.#wanted.sizeBytes) throw new FileProblem("WRONG_SIZE", "more bytes arrived than the list of files says");
		this.#hash.update(bytes);
		this.#disk.write(this.#descriptor, bytes);
	}

	close(): void {
		this.#disk.close(this.#descriptor);
	}

	/** @throws FileProblem WRONG_SIZE, WRONG_HASH */
	verify(): void {
		check(this.#wanted, this.#size, this.#hash.digest("hex"));
	}
}

function check(wanted: WantedFile, size: number, sha256: string): void {
	if (size !== wanted.sizeBytes) throw new FileProblem("WRONG_SIZE", `its size in bytes was ${size} instead of ${wanted.sizeBytes}`);
	if (sha256 !== wanted.sha256) throw new FileProblem("WRONG_HASH", "the content did not match its SHA-256 hash in the list of files");
}
