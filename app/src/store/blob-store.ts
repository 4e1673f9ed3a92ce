import { hash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ifAbsent } from "@xworkmate/platform/errors";
import { writeDurably } from "@xworkmate/platform/files";

/** Stores blobs by their SHA-256, each atomically: `<home>/app/blobs/<sha256>`. */
export class BlobStore {
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/**
	 * Stores bytes; they are durable when this returns.
	 * @throws the system's error, for example if the disk is full
	 */
	put(sha256: string, bytes: Uint8Array): void {
		if (this.read(sha256) === undefined) writeDurably(join(this.#folder, sha256), bytes);
	}

	/** Undefined if the blob is missing or damaged. */
	read(sha256: string): Buffer | undefined {
		const bytes = ifThere(() => readFileSync(join(this.#folder, sha256)));
		return bytes !== undefined && hash("sha256", bytes, "hex") === sha256 ? bytes : undefined;
	}

	/** Removes all blobs that are not in `used`, and files that a crash left incomplete. */
	keepOnly(used: ReadonlySet<string>): void {
		for (const name of ifThere(() => readdirSync(this.#folder)) ?? []) {
			if (!used.has(name)) rmSync(join(this.#folder, name), { force: true });
		}
	}
}

function ifThere<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		return ifAbsent(error);
	}
}
