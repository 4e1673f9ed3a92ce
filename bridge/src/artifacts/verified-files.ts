import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { type Artifact, ContractError } from "@xworkmate/contracts";

/** The maximum number of hashed files whose metadata is remembered, at about 200 bytes of memory each. */
const MAX_REMEMBERED = 10_000;
const CHUNK_BYTES = 256 * 1024;

/**
 * Stored files that have been hashed and checked as a whole, so that a part of a file can be served without reading all of it again. A file
 * counts as unchanged as long as its metadata is the same; a write changes its ctime, which a program cannot set.
 */
export class VerifiedFiles {
	readonly #known = new Map<string, Promise<boolean>>();
	readonly #remembered: number;

	constructor(remembered = MAX_REMEMBERED) {
		this.#remembered = remembered;
	}

	/**
	 * Resolves if the file has the artifact's bytes.
	 * @throws ContractError ARTIFACT_CHANGED
	 */
	async verify(handle: FileHandle, artifact: Artifact): Promise<void> {
		const identity = await identityOf(handle, artifact);
		let verdict = this.#known.get(identity);
		if (verdict === undefined) {
			// Concurrent requests for ranges of one file share one read.
			verdict = hasHash(handle, artifact);
			this.#remember(identity, verdict);
		}
		const isSame = await verdict.catch((error: unknown) => {
			this.#known.delete(identity);
			throw error;
		});
		// If the file was written to during the read, the hash is out of date.
		if (isSame && (await identityOf(handle, artifact)) === identity) return;
		this.#known.delete(identity);
		throw new ContractError("ARTIFACT_CHANGED", { detail: `${artifact.relativePath}: the stored file does not match the manifest` });
	}

	#remember(identity: string, verdict: Promise<boolean>): void {
		this.#known.set(identity, verdict);
		const oldest = this.#known.keys().next().value;
		if (this.#known.size > this.#remembered && oldest !== undefined) this.#known.delete(oldest);
	}
}

async function identityOf(handle: FileHandle, { sha256 }: Artifact): Promise<string> {
	const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
	return [dev, ino, size, mtimeNs, ctimeNs, sha256].join(" ");
}

/** Reads in chunks, so that the event loop is never blocked for longer than a single chunk takes. */
async function hasHash(handle: FileHandle, { sizeBytes, sha256 }: Artifact): Promise<boolean> {
	const hash = createHash("sha256");
	const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	for (let position = 0; position < sizeBytes; ) {
		const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK_BYTES, sizeBytes - position), position);
		if (bytesRead === 0) return false;
		hash.update(buffer.subarray(0, bytesRead));
		position += bytesRead;
	}
	return hash.digest("hex") === sha256;
}
